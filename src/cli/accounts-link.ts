import { OperatorError } from '../base/operator-error.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { call, findServer } from './control-access.ts'

const kinds = ['password_reset', 'email_verification', 'invitation']

export const accountsLink: Command = {
  name: 'accounts link',
  summary: 'Make a one-time link for somebody, as for a forgotten password.',
  options: {
    email: { type: 'string', placeholder: 'EMAIL', text: 'Whom it is for; needed.' },
    kind: { type: 'string', placeholder: 'KIND', text: `${kinds.join(', ')}; the first unless given.` },
    ...jsonOption,
  },
  note: 'The server must be running. Whoever has the link can use it, once: hand it over with care.',
  async run({ config, options, terminal }) {
    const { email, kind = 'password_reset' } = options
    if (typeof email !== 'string') throw new UsageError("'helix accounts link' needs --email EMAIL")
    if (typeof kind !== 'string' || !kinds.includes(kind)) throw new UsageError(`--kind is one of ${kinds.join(', ')}`)
    const server = await findServer(config)
    if (server === null) throw new OperatorError(`No server runs on ${config.dataDir}; start it first`)
    const link = await call<{ url: string; expiresAt: number }>(server, 'POST', '/control/links', { kind, email })
    if (options.json === true) terminal.out(`${JSON.stringify(link)}\n`)
    else {
      terminal.err(`This link works once, until ${new Date(link.expiresAt).toISOString()}:\n`)
      terminal.out(`${link.url}\n`)
    }
    return 0
  },
}
