import type { Accounts } from '../../accounts/accounts.ts'
import type { SentInvitation } from '../../accounts/teams/invitations.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import { defaultLanguage } from '../../languages/languages.ts'
import type { Models } from '../../models/contract.ts'
import type { PriceLookup } from '../../models/price-lookup.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { clearSession, readVisitor } from '../../session/session-cookies.ts'
import { signInOperations } from '../contract/sign-in.ts'
import { createActor, createSessionActor } from '../create-actor.ts'
import { showSession } from './show-session.ts'
import { enter, startSession } from './start-session.ts'
import { welcome } from './welcome.ts'

type SignInRoutesDependencies = {
  accounts: Accounts
  keys: Pick<KeyRegistry, 'by'>
  models: Pick<Models, 'list' | 'defaultPool'>
  findPrice: PriceLookup
  currency: string
  pageUrl(exchange: Exchange): string
}

/** Signing up, in and out, with a password or at another service. */
export const createSignInRoutes = (dependencies: SignInRoutesDependencies): Route[] => {
  const { accounts, models, findPrice, currency, pageUrl } = dependencies
  const { providers, identities } = accounts
  return [
    createRoute(signInOperations.showSession, ({ exchange }) =>
      showSession(exchange, { accounts, models, findPrice, currency, siteUrl: pageUrl(exchange) }),
    ),
    createRoute(
      signInOperations.setUp,
      async ({ exchange, body: { token, language = defaultLanguage, ...person } }) => {
        const signedIn = await accounts.signUp.claim(token, { ...person, language }, readVisitor(exchange))
        return welcome(exchange, signedIn, dependencies)
      },
    ),
    createRoute(signInOperations.signUp, async ({ exchange, body }) => {
      const { invitation, join, language = defaultLanguage, ...person } = body
      const sent = sentInvitation(invitation, join)
      const signedIn = await accounts.signUp.create({ ...person, language }, sent, readVisitor(exchange))
      return welcome(exchange, signedIn, dependencies)
    }),
    createRoute(signInOperations.signIn, async ({ exchange, body }) =>
      enter(exchange, await accounts.passwordSignIn(body.email, body.password, readVisitor(exchange))),
    ),
    createRoute(signInOperations.finishSignIn, async ({ exchange, body }) => {
      const { signedIn, codesLeft } = await accounts.signInSteps.finishWithCode(
        body.token,
        body.code,
        readVisitor(exchange),
      )
      return { ...startSession(exchange, signedIn), recoveryCodesLeft: codesLeft }
    }),
    createRoute(signInOperations.resetPassword, async ({ exchange, body }) =>
      enter(exchange, await accounts.passwords.reset(body.token, body.password, readVisitor(exchange))),
    ),
    createRoute(signInOperations.signOut, async ({ exchange, caller }) => {
      await accounts.sessions.end(createActor(exchange, caller), caller.sessionId)
      clearSession(exchange)
    }),

    createRoute(signInOperations.beginAtProvider, async ({ exchange, params, body }) => {
      const { language = defaultLanguage, invitation, join, next = null } = body
      const ask = { language, invitation: sentInvitation(invitation, join), next }
      return { url: await providers.begin(params.provider, pageUrl(exchange), readVisitor(exchange), ask) }
    }),
    createRoute(signInOperations.finishAtProvider, async ({ exchange, params, body }) => {
      const reply = { code: null, error: null, ...body }
      const entered = await providers.finish(params.provider, pageUrl(exchange), reply, readVisitor(exchange))
      if (entered.outcome === 'signed_up') return welcome(exchange, entered.signedIn, dependencies)
      return { ...enter(exchange, entered.result), next: entered.next }
    }),
    createRoute(signInOperations.beginConnect, async ({ exchange, caller, params }) => {
      const holder = createSessionActor(exchange, caller)
      return { url: await identities.beginConnect(params.provider, pageUrl(exchange), readVisitor(exchange), holder) }
    }),
    createRoute(signInOperations.finishConnect, ({ exchange, caller, params, body }) => {
      const reply = { code: null, error: null, ...body }
      const by = createActor(exchange, caller)
      return identities.finishConnect(params.provider, pageUrl(exchange), reply, readVisitor(exchange), by)
    }),
    createRoute(signInOperations.disconnect, ({ exchange, caller, params }) =>
      identities.disconnect(createSessionActor(exchange, caller), params.identity),
    ),
  ]
}

const sentInvitation = (invitation: string | null = null, join: string | null = null): SentInvitation | null => {
  if (join !== null) return { to: 'organisation', token: join }
  return invitation === null ? null : { to: 'server', token: invitation }
}
