import { type Command, UsageError } from './command.ts'
import { requireServer } from './control-access.ts'

export const accountsResetTwoFactor: Command = {
  name: 'accounts reset-2fa',
  summary: 'Disable two-factor authentication for a user who has lost both their authenticator app and recovery codes.',
  positionals: 'EMAIL',
  options: {},
  note: 'The server must be running. This ends all sessions of the account; its password and passkeys are kept. Verify the identity of the person first.',
  async run({ config, positionals, terminal }) {
    const [email, ...more] = positionals
    if (email === undefined || more.length > 0) throw new UsageError("'helix accounts reset-2fa' requires one EMAIL")
    await (await requireServer(config)).resetTwoFactor({ body: { email } })
    terminal.err('Two-factor authentication is disabled for this account, and all its sessions have ended.\n')
    return 0
  },
}
