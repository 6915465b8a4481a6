import type { Accounts } from '../../accounts/accounts.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { readVisitor } from '../../session/session-cookies.ts'
import { secondFactorOperations } from '../contract/second-factor.ts'
import { createActor, createSessionActor } from '../create-actor.ts'
import { startSession } from './start-session.ts'

/** Passkeys, authenticator apps, recovery codes, and proving one's identity again before a sensitive change. */
export const createSecondFactorRoutes = (
  accounts: Pick<Accounts, 'passkeys' | 'passkeySignIn' | 'twoFactor' | 'confirmations' | 'signInMethods'>,
  pageUrl: (exchange: Exchange) => string,
): Route[] => {
  const { passkeys, passkeySignIn, twoFactor, confirmations } = accounts
  return [
    createRoute(secondFactorOperations.askPasskey, ({ exchange }) =>
      passkeySignIn.signInOptions(pageUrl(exchange), exchange.origin.clientAddress),
    ),
    createRoute(secondFactorOperations.signInByPasskey, async ({ exchange, body }) => {
      const use = { userHandle: null, ...body }
      return startSession(exchange, await passkeySignIn.signIn(pageUrl(exchange), use, readVisitor(exchange)))
    }),

    createRoute(secondFactorOperations.showSignInMethods, ({ caller }) => accounts.signInMethods(caller.accountId)),
    createRoute(secondFactorOperations.confirm, ({ exchange, caller, body: { password, code } }) => {
      const holder = createSessionActor(exchange, caller)
      if (code !== undefined) return confirmations.byCode(holder, code)
      if (password !== undefined) return confirmations.byPassword(holder, password)
      throw ApiError.of('confirmation_needed', {})
    }),
    createRoute(secondFactorOperations.askConfirmation, ({ exchange, caller }) =>
      passkeySignIn.confirmationOptions(pageUrl(exchange), createSessionActor(exchange, caller)),
    ),
    createRoute(secondFactorOperations.confirmByPasskey, ({ exchange, caller, body }) =>
      passkeySignIn.confirm(pageUrl(exchange), createSessionActor(exchange, caller), { userHandle: null, ...body }),
    ),

    createRoute(secondFactorOperations.beginTwoFactor, ({ exchange, caller }) =>
      twoFactor.begin(createSessionActor(exchange, caller), new URL(pageUrl(exchange)).host),
    ),
    createRoute(secondFactorOperations.confirmTwoFactor, async ({ exchange, caller, body }) => ({
      recoveryCodes: await twoFactor.confirm(createActor(exchange, caller), body.code),
    })),
    createRoute(secondFactorOperations.renewRecoveryCodes, async ({ exchange, caller }) => ({
      recoveryCodes: await twoFactor.renewCodes(createSessionActor(exchange, caller)),
    })),
    createRoute(secondFactorOperations.switchOffTwoFactor, ({ exchange, caller, body: { password = null, code } }) =>
      twoFactor.switchOff(createSessionActor(exchange, caller), password, code),
    ),

    createRoute(secondFactorOperations.askNewPasskey, ({ exchange, caller }) =>
      passkeys.registrationOptions(pageUrl(exchange), createSessionActor(exchange, caller)),
    ),
    createRoute(secondFactorOperations.addPasskey, async ({ exchange, caller, body: { name, ...sent } }) => {
      const added = await passkeys.add(pageUrl(exchange), createSessionActor(exchange, caller), name, sent)
      return { id: added.id, name: added.name, createdAt: added.createdAt, lastUsedAt: null }
    }),
    createRoute(secondFactorOperations.renamePasskey, ({ exchange, caller, params, body }) =>
      passkeys.rename(createSessionActor(exchange, caller), params.passkey, body.name),
    ),
    createRoute(secondFactorOperations.removePasskey, ({ exchange, caller, params }) =>
      passkeys.remove(createSessionActor(exchange, caller), params.passkey),
    ),
  ]
}
