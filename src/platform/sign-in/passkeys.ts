import type { Accounts } from '../../accounts/accounts.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Person } from '../../http/route.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import { visitorOf } from '../../session/session-cookies.ts'
import { holderOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'
import { sendSignedIn } from '../session/handler.ts'

type Handle = (exchange: Exchange, person: Person) => Promise<void>
type SiteUrl = (exchange: Exchange) => string

const part = string({ maxLength: 16_384 })
const use = object({
  id: part,
  clientDataJSON: part,
  authenticatorData: part,
  signature: part,
  userHandle: optional(nullable(part)),
})
const usedPasskey = async (exchange: Exchange) => {
  const { userHandle = null, ...sent } = await readJson(exchange, bodyLimitBytes, use)
  return { ...sent, userHandle }
}

/** `POST /platform/sign-in/passkey/question` */
export const createAskPasskey =
  ({ passkeySignIn }: Accounts, siteUrl: SiteUrl) =>
  async (exchange: Exchange): Promise<void> =>
    sendJson(exchange, 200, await passkeySignIn.signInOptions(siteUrl(exchange), exchange.origin.clientAddress))

/** `POST /platform/sign-in/passkey`: a passkey is both the password and the second factor. */
export const createSignInByPasskey =
  ({ passkeySignIn }: Accounts, siteUrl: SiteUrl) =>
  async (exchange: Exchange): Promise<void> => {
    const sent = await usedPasskey(exchange)
    sendSignedIn(exchange, await passkeySignIn.signIn(siteUrl(exchange), sent, visitorOf(exchange)))
  }

/** `POST /platform/account/confirm/passkey/question` */
export const createAskConfirmation =
  ({ passkeySignIn }: Accounts, siteUrl: SiteUrl): Handle =>
  async (exchange, person) =>
    sendJson(exchange, 200, await passkeySignIn.confirmationOptions(siteUrl(exchange), holderOf(exchange, person)))

/** `POST /platform/account/confirm/passkey` */
export const createConfirmByPasskey =
  ({ passkeySignIn }: Accounts, siteUrl: SiteUrl): Handle =>
  async (exchange, person) => {
    const sent = await usedPasskey(exchange)
    await passkeySignIn.confirm(siteUrl(exchange), holderOf(exchange, person), sent)
    sendNothing(exchange)
  }

/** `POST /platform/account/passkeys/question` */
export const createAskNewPasskey =
  ({ passkeys }: Accounts, siteUrl: SiteUrl): Handle =>
  async (exchange, person) =>
    sendJson(exchange, 200, await passkeys.registrationOptions(siteUrl(exchange), holderOf(exchange, person)))

const newPasskey = object({
  name: string(),
  id: part,
  clientDataJSON: part,
  attestationObject: part,
  transports: array(string({ maxLength: 32 }), { max: 16, of: 'strings' }),
})

/** `POST /platform/account/passkeys` */
export const createAddPasskey =
  ({ passkeys }: Accounts, siteUrl: SiteUrl): Handle =>
  async (exchange, person) => {
    const { name, ...sent } = await readJson(exchange, bodyLimitBytes, newPasskey)
    const { id, createdAt, ...added } = await passkeys.add(siteUrl(exchange), holderOf(exchange, person), name, sent)
    sendJson(exchange, 201, { id, name: added.name, createdAt, lastUsedAt: null })
  }

const nameBody = object({ name: string() })

/** `POST /platform/account/passkeys/{passkey}/rename` */
export const createRenamePasskey =
  ({ passkeys }: Accounts): Handle =>
  async (exchange, person) => {
    const { name } = await readJson(exchange, bodyLimitBytes, nameBody)
    await passkeys.rename(holderOf(exchange, person), exchange.params.passkey ?? '', name)
    sendNothing(exchange)
  }

/** `POST /platform/account/passkeys/{passkey}/remove` */
export const createRemovePasskey =
  ({ passkeys }: Accounts): Handle =>
  async (exchange, person) => {
    await passkeys.remove(holderOf(exchange, person), exchange.params.passkey ?? '')
    sendNothing(exchange)
  }
