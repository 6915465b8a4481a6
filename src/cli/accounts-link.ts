import type { LinkKind } from '../platform/contract/server.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { requireServer } from './control-access.ts'

const kinds = ['password_reset', 'email_verification', 'invitation'] as const satisfies readonly LinkKind[]

export const accountsLink: Command = {
  name: 'accounts link',
  summary: 'Create a one-time link, for example to reset a forgotten password.',
  options: {
    email: { type: 'string', placeholder: 'EMAIL', text: 'Email address of the user (required).' },
    kind: { type: 'string', placeholder: 'KIND', text: `${kinds.join(', ')} (default: ${kinds[0]}).` },
    ...jsonOption,
  },
  note: 'The server must be running. Anyone who has the link can use it once, so share it securely.',
  async run({ config, options, terminal }) {
    const { email } = options
    const kind = kinds.find((each) => each === (options.kind ?? 'password_reset'))
    if (typeof email !== 'string') throw new UsageError("'helix accounts link' requires --email EMAIL")
    if (kind === undefined) throw new UsageError(`--kind must be one of ${kinds.join(', ')}`)
    const link = await (await requireServer(config)).createLink({ body: { kind, email } })
    if (options.json === true) terminal.out(`${JSON.stringify(link)}\n`)
    else {
      terminal.err(`This link works once, until ${new Date(link.expiresAt).toISOString()}:\n`)
      terminal.out(`${link.url}\n`)
    }
    return 0
  },
}
