import { OperatorError } from '../base/operator-error.ts'
import { type Command, UsageError } from './command.ts'
import { call, findServer } from './control-access.ts'

export const accountsResetTwoFactor: Command = {
  name: 'accounts reset-2fa',
  summary: 'Switch two-factor sign-in off for somebody who lost the app and the recovery codes.',
  positionals: 'EMAIL',
  options: {},
  note: 'The server must be running. All sessions of the account end; its password and passkeys stay. Make sure first that it is really the person who asks.',
  async run({ config, positionals, terminal }) {
    const [email, ...more] = positionals
    if (email === undefined || more.length > 0) throw new UsageError("'helix accounts reset-2fa' needs one EMAIL")
    const server = await findServer(config)
    if (server === null) throw new OperatorError(`No server runs on ${config.dataDir}; start it first`)
    await call(server, 'POST', '/control/accounts/reset-two-factor', { email })
    terminal.err('Two-factor sign-in is off for this account, and its sessions are over.\n')
    return 0
  },
}
