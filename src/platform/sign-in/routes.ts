import type { Accounts } from '../../accounts/accounts.ts'
import type { SentInvitation } from '../../accounts/teams/invitations.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import { defaultLanguage } from '../../languages/languages.ts'
import type { Models } from '../../models/contract.ts'
import type { PriceOf } from '../../models/price-of.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { clearSession, visitorOf } from '../../session/session-cookies.ts'
import { actorOf, holderOf } from '../actor-of.ts'
import { signInOperations } from '../contract/sign-in.ts'
import { showSession } from './show-session.ts'
import { enter, startSession } from './start-session.ts'
import { welcome } from './welcome.ts'

type SignInRoutesDependencies = {
  accounts: Accounts
  keys: Pick<KeyRegistry, 'by'>
  models: Pick<Models, 'list' | 'defaultPool'>
  priceOf: PriceOf
  currency: string
  pageUrl(exchange: Exchange): string
}

/** Signing up, in and out, with a password or at another service. */
export const createSignInRoutes = (dependencies: SignInRoutesDependencies): Route[] => {
  const { accounts, models, priceOf, currency, pageUrl } = dependencies
  const { providers, identities } = accounts
  return [
    createRoute(signInOperations.showSession, ({ exchange }) =>
      showSession(exchange, { accounts, models, priceOf, currency, siteUrl: pageUrl(exchange) }),
    ),
    createRoute(
      signInOperations.setUp,
      async ({ exchange, body: { token, language = defaultLanguage, ...person } }) => {
        const signedIn = await accounts.signUp.claim(token, { ...person, language }, visitorOf(exchange))
        return welcome(exchange, signedIn, dependencies)
      },
    ),
    createRoute(signInOperations.signUp, async ({ exchange, body }) => {
      const { invitation, join, language = defaultLanguage, ...person } = body
      const sent = sentInvitation(invitation, join)
      const signedIn = await accounts.signUp.create({ ...person, language }, sent, visitorOf(exchange))
      return welcome(exchange, signedIn, dependencies)
    }),
    createRoute(signInOperations.signIn, async ({ exchange, body }) =>
      enter(exchange, await accounts.passwordSignIn(body.email, body.password, visitorOf(exchange))),
    ),
    createRoute(signInOperations.finishSignIn, async ({ exchange, body }) => {
      const { signedIn, codesLeft } = await accounts.signInSteps.finishWithCode(
        body.token,
        body.code,
        visitorOf(exchange),
      )
      return { ...startSession(exchange, signedIn), recoveryCodesLeft: codesLeft }
    }),
    createRoute(signInOperations.resetPassword, async ({ exchange, body }) =>
      enter(exchange, await accounts.passwords.reset(body.token, body.password, visitorOf(exchange))),
    ),
    createRoute(signInOperations.signOut, async ({ exchange, caller }) => {
      await accounts.sessions.end(actorOf(exchange, caller), caller.sessionId)
      clearSession(exchange)
    }),

    createRoute(signInOperations.beginAtProvider, async ({ exchange, params, body }) => {
      const { language = defaultLanguage, invitation, join, next = null } = body
      const ask = { language, invitation: sentInvitation(invitation, join), next }
      return { url: await providers.begin(params.provider, pageUrl(exchange), visitorOf(exchange), ask) }
    }),
    createRoute(signInOperations.finishAtProvider, async ({ exchange, params, body }) => {
      const reply = { code: null, error: null, ...body }
      const entered = await providers.finish(params.provider, pageUrl(exchange), reply, visitorOf(exchange))
      if (entered.outcome === 'signed_up') return welcome(exchange, entered.signedIn, dependencies)
      return { ...enter(exchange, entered.result), next: entered.next }
    }),
    createRoute(signInOperations.beginConnect, async ({ exchange, caller, params }) => {
      const holder = holderOf(exchange, caller)
      return { url: await identities.beginConnect(params.provider, pageUrl(exchange), visitorOf(exchange), holder) }
    }),
    createRoute(signInOperations.finishConnect, ({ exchange, caller, params, body }) => {
      const reply = { code: null, error: null, ...body }
      const by = actorOf(exchange, caller)
      return identities.finishConnect(params.provider, pageUrl(exchange), reply, visitorOf(exchange), by)
    }),
    createRoute(signInOperations.disconnect, ({ exchange, caller, params }) =>
      identities.disconnect(holderOf(exchange, caller), params.identity),
    ),
  ]
}

const sentInvitation = (invitation: string | null = null, join: string | null = null): SentInvitation | null => {
  if (join !== null) return { to: 'organisation', token: join }
  return invitation === null ? null : { to: 'server', token: invitation }
}
