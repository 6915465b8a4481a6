import type { Accounts } from '../accounts/accounts.ts'
import { readJson } from '../http/read-json.ts'
import { sendJson } from '../http/respond.ts'
import type { Route } from '../http/route.ts'
import { formLimitBytes as bodyLimitBytes } from '../operations/form-limit-bytes.ts'
import { commandLine } from '../platform/actor-of.ts'
import { linkBody, resetTwoFactorBody } from '../platform/contract/server.ts'

/** For the server operator, because the owner may also forget a password or lose a second factor. */
export const createAccountControlRoutes = (
  accounts: Pick<Accounts, 'links' | 'twoFactor'>,
  siteUrl: () => string,
): Route[] => [
  {
    method: 'POST',
    path: '/control/links',
    access: 'socket',
    async handle(exchange) {
      const { kind, email } = await readJson(exchange, bodyLimitBytes, linkBody)
      const { path, expiresAt } = await accounts.links.createForOwner(kind, email, commandLine)
      sendJson(exchange, 200, { url: siteUrl() + path, expiresAt })
    },
  },
  {
    method: 'POST',
    path: '/control/accounts/reset-two-factor',
    access: 'socket',
    async handle(exchange) {
      const { email } = await readJson(exchange, bodyLimitBytes, resetTwoFactorBody)
      await accounts.twoFactor.reset(email, commandLine)
      sendJson(exchange, 200, { twoFactor: false })
    },
  },
]
