import type { Accounts } from '../../accounts/accounts.ts'
import { ApiError } from '../../base/api-error.ts'
import { shorten } from '../../http/schema/scalars.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { clearSession, writeSession } from '../../session/session-cookies.ts'
import { accountOperations } from '../contract/account.ts'
import { createActor, createSessionActor } from '../create-actor.ts'
import { deviceJson } from './account-json.ts'
import { type ExportDependencies, exportAccount } from './export-account.ts'

type AccountRoutesDependencies = Omit<ExportDependencies, 'accounts'> & { accounts: Accounts }

/** What people do with their own account. */
export const createAccountRoutes = (dependencies: AccountRoutesDependencies): Route[] => {
  const { accounts } = dependencies
  return [
    createRoute(accountOperations.changePassword, async ({ exchange, caller, body }) => {
      const { currentPassword = null, newPassword } = body
      writeSession(
        exchange,
        await accounts.passwords.change(createSessionActor(exchange, caller), currentPassword, newPassword),
      )
    }),
    createRoute(accountOperations.changeEmail, async ({ exchange, caller, body: { email, password = null } }) => ({
      outcome: await accounts.emails.requestChange(createSessionActor(exchange, caller), email, password),
    })),
    createRoute(accountOperations.setLanguage, ({ caller, body }) =>
      accounts.profiles.setLanguage(caller.accountId, body.language),
    ),
    createRoute(accountOperations.setProfile, ({ exchange, caller, body }) =>
      accounts.profiles.setName(createActor(exchange, caller), body.name),
    ),
    createRoute(accountOperations.exportAccount, async ({ exchange, caller }) => {
      const exported = await exportAccount(caller.accountId, dependencies)
      exchange.response.setHeader('content-disposition', 'attachment; filename="helix-account.json"')
      return exported
    }),
    createRoute(accountOperations.listSessions, async ({ caller }) => ({
      data: (await accounts.sessions.list(caller.accountId)).map((session) => ({
        id: session.id,
        ...deviceJson(session),
        current: session.id === caller.sessionId,
      })),
    })),
    createRoute(accountOperations.revokeSession, async ({ exchange, caller, params: { session } }) => {
      if (!(await accounts.sessions.end(createActor(exchange, caller), session)))
        throw ApiError.of('session_not_found', { id: shorten(session) })
      if (session === caller.sessionId) clearSession(exchange)
    }),
    createRoute(accountOperations.deleteAccount, async ({ exchange, caller, body: { password = null } }) => {
      await accounts.passwords.removeAccount(createSessionActor(exchange, caller), password)
      clearSession(exchange)
    }),

    createRoute(accountOperations.requestPasswordReset, ({ exchange, body }) =>
      accounts.mail.requestReset(body.email, exchange.origin.clientAddress),
    ),
    createRoute(accountOperations.requestVerification, async ({ caller }) => {
      const account = await accounts.profiles.find(caller.accountId)
      if (account === null) throw ApiError.of('not_signed_in', {})
      await accounts.mail.requestVerification(account)
    }),
    createRoute(accountOperations.verifyEmail, ({ exchange, body }) =>
      accounts.emails.verify(body.token, exchange.origin.clientAddress),
    ),
    createRoute(accountOperations.confirmEmailChange, ({ exchange, body }) =>
      accounts.emails.confirmChange(body.token, exchange.origin.clientAddress),
    ),
  ]
}
