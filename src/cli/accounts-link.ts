import { OperatorError } from '../base/operator-error.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { call, findServer } from './control-access.ts'

const kinds = ['password_reset', 'email_verification', 'invitation']

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
    const { email, kind = 'password_reset' } = options
    if (typeof email !== 'string') throw new UsageError("'helix accounts link' requires --email EMAIL")
    if (typeof kind !== 'string' || !kinds.includes(kind))
      throw new UsageError(`--kind must be one of ${kinds.join(', ')}`)
    const server = await findServer(config)
    if (server === null) throw new OperatorError(`No server is running on ${config.dataDir}; start it first`)
    const link = await call<{ url: string; expiresAt: number }>(server, 'POST', '/control/links', { kind, email })
    if (options.json === true) terminal.out(`${JSON.stringify(link)}\n`)
    else {
      terminal.err(`This link works once, until ${new Date(link.expiresAt).toISOString()}:\n`)
      terminal.out(`${link.url}\n`)
    }
    return 0
  },
}
