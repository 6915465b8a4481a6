import type { Accounts } from '../../accounts/accounts.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Person } from '../../http/route.ts'
import { nullable, object, optional } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import { visitorOf } from '../../session/session-cookies.ts'
import { actorOf, holderOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'
import { sendEntry } from '../session/handler.ts'
import { language, sentInvitation, welcome } from '../session/sign-up.ts'

type Handle = (exchange: Exchange, person: Person) => Promise<void>
type SiteUrl = (exchange: Exchange) => string

const beginBody = object({
  language: optional(language),
  invitation: optional(nullable(string())),
  join: optional(nullable(string())),
  next: optional(nullable(string({ maxLength: 200 }))),
})

/** `POST /platform/sign-in/providers/{provider}/begin`: where the browser goes to sign in. */
export const createBeginAtProvider =
  ({ providers }: Accounts, siteUrl: SiteUrl) =>
  async (exchange: Exchange): Promise<void> => {
    const { provider = '' } = exchange.params
    const body = await readJson(exchange, bodyLimitBytes, beginBody)
    const { language = 'en', invitation = null, join = null, next = null } = body
    const ask = { language, invitation: sentInvitation(invitation, join), next }
    sendJson(exchange, 200, { url: await providers.begin(provider, siteUrl(exchange), visitorOf(exchange), ask) })
  }

const part = string({ maxLength: 8_192 })
const replyBody = object({ state: part, code: optional(nullable(part)), error: optional(nullable(part)) })

const readReply = async (exchange: Exchange) => {
  const { state, code = null, error = null } = await readJson(exchange, bodyLimitBytes, replyBody)
  return { state, code, error }
}

/**
 * `POST /platform/sign-in/providers/{provider}/finish`: what the provider sent back. A session, a question for a code, or a
 * new account with its first key.
 */
export const createFinishAtProvider =
  (rooms: { accounts: Accounts; keys: KeyRegistry }, siteUrl: SiteUrl) =>
  async (exchange: Exchange): Promise<void> => {
    const { provider = '' } = exchange.params
    const reply = await readReply(exchange)
    const { providers } = rooms.accounts
    const entered = await providers.finish(provider, siteUrl(exchange), reply, visitorOf(exchange))
    if (entered.outcome === 'signed_up') await welcome(exchange, entered.signedIn, rooms)
    else sendEntry(exchange, entered.result, { next: entered.next })
  }

/** `POST /platform/account/identities/{provider}/begin` */
export const createBeginConnect =
  ({ identities }: Accounts, siteUrl: SiteUrl): Handle =>
  async (exchange, person) => {
    const { provider = '' } = exchange.params
    const holder = holderOf(exchange, person)
    const url = await identities.beginConnect(provider, siteUrl(exchange), visitorOf(exchange), holder)
    sendJson(exchange, 200, { url })
  }

/** `POST /platform/account/identities/{provider}/finish` */
export const createFinishConnect =
  ({ identities }: Accounts, siteUrl: SiteUrl): Handle =>
  async (exchange, person) => {
    const { provider = '' } = exchange.params
    const reply = await readReply(exchange)
    const by = actorOf(exchange, person)
    await identities.finishConnect(provider, siteUrl(exchange), reply, visitorOf(exchange), by)
    sendNothing(exchange)
  }

/** `POST /platform/account/identities/{identity}/remove` */
export const createDisconnect =
  ({ identities }: Accounts): Handle =>
  async (exchange, person) => {
    await identities.disconnect(holderOf(exchange, person), exchange.params.identity ?? '')
    sendNothing(exchange)
  }
