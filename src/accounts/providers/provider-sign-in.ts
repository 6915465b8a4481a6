import { createHash, randomBytes } from 'node:crypto'
import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import { networkOf } from '../../base/network-of.ts'
import type { Language } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { IdentityRecord } from '../../store/sign-in-contract.ts'
import { accountEvent } from '../account-event.ts'
import type { Actor } from '../actor.ts'
import { createAttemptLimit } from '../attempt-limit.ts'
import { checkEmail, type Email } from '../email/check-email.ts'
import type { Seal } from '../secrets/seal.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'
import type { Confirmations, Holder } from '../sessions/confirmations.ts'
import type { SignedIn, Visitor } from '../sessions/sessions.ts'
import type { Entrance, Entry } from '../sign-in/sign-in-steps.ts'
import type { SentInvitation, SignUp } from '../sign-up/sign-up.ts'
import { type Identity, type Provider, ProviderFault } from './provider.ts'

type ProviderRooms = {
  store: Pick<Store, 'accounts' | 'identities' | 'challenges'>
  clock: Clock
  seal: Seal
  providers: readonly Provider[]
  entrance: Entrance
  confirmations: Confirmations
  signUp: SignUp
}

/** What the browser brought back from the provider. */
type ProviderReply = { state: string; code: string | null; error: string | null }

/** `isNew`: with an account that was made just now. */
type ProviderEntry = { isNew: true; signedIn: SignedIn } | { isNew: false; entry: Entry; next: string | null }

export type ShownIdentity = Pick<IdentityRecord, 'id' | 'email' | 'createdAt' | 'lastUsedAt'> & {
  provider: string | null
  /** As people know the provider; its address where it is not configured any more. */
  name: string
}

export interface ProviderSignIn {
  /** Those that are configured. */
  readonly list: readonly { id: string; name: string }[]
  /** Resolves to where the browser goes. */
  begin(
    provider: string,
    siteUrl: string,
    visitor: Visitor,
    ask: { invitation: SentInvitation | null; language: Language; next: string | null },
  ): Promise<string>
  finish(provider: string, siteUrl: string, reply: ProviderReply, visitor: Visitor): Promise<ProviderEntry>
  beginConnect(provider: string, siteUrl: string, visitor: Visitor, holder: Holder): Promise<string>
  finishConnect(provider: string, siteUrl: string, reply: ProviderReply, visitor: Visitor, by: Actor): Promise<void>
  identities(accountId: string): Promise<ShownIdentity[]>
  disconnect(holder: Holder, id: string): Promise<void>
}

const lifeMs = 10 * 60_000
const questions = { most: 100, perMs: 15 * 60_000 }

/** What has to be known when the browser comes back. */
type Waiting = {
  provider: string
  nonce: string
  codeVerifier: string
  /** The browser that left: nobody else may come back in its place. */
  visit: string
  invitation: SentInvitation | null
  language: Language
  /** The page that somebody wanted before they were asked to sign in. */
  next: string | null
}

/** Signing in, signing up and connecting with another place's word for who somebody is. */
export const createProviderSignIn = (rooms: ProviderRooms): ProviderSignIn => {
  const { store, clock, seal, providers, entrance, confirmations, signUp } = rooms
  const perNetwork = createAttemptLimit(questions, clock)

  const requireProvider = (id: string): Provider => {
    const provider = providers.find((each) => each.id === id)
    if (provider === undefined) throw ApiError.of('provider_not_found', { id: id.slice(0, 64) })
    return provider
  }

  const leave = async (
    id: string,
    siteUrl: string,
    visitor: Visitor,
    accountId: string | null,
    ask: Pick<Waiting, 'invitation' | 'language' | 'next'>,
  ): Promise<string> => {
    const provider = requireProvider(id)
    perNetwork.take(networkOf(visitor.address))
    // The page tells by the beginning which of the two ways back it is on.
    const state = `${accountId === null ? 'enter' : 'connect'}.${mintToken()}`
    const nonce = mintToken()
    const codeVerifier = randomBytes(48).toString('base64url')
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
    const question = { redirectUri: redirectUri(siteUrl, id), state, nonce, codeChallenge }
    const url = await orFault(provider, () => provider.signInUrl(question))
    const waiting: Waiting = { provider: id, nonce, codeVerifier, visit: visitOf(visitor), ...ask }
    const now = clock.now()
    // It may hold an invitation, whose token is kept as a hash everywhere else.
    const content = seal.close(Buffer.from(JSON.stringify(waiting)), sealContext)
    const record = { kind: 'provider', accountId, content, triesLeft: 1, expiresAt: now + lifeMs } as const
    await store.challenges.insert(record, hashToken(state), now)
    return url
  }

  /** Whom the provider named; throws unless it is the answer to our question, brought by the browser that asked. */
  const comeBack = async (
    id: string,
    siteUrl: string,
    { state, code, error }: ProviderReply,
    visitor: Visitor,
    accountId: string | null,
  ): Promise<{ identity: Identity; waiting: Waiting; provider: Provider }> => {
    const provider = requireProvider(id)
    const asked = await store.challenges.take('provider', hashToken(state), clock.now())
    const waiting = asked === null ? null : readWaiting(seal.open(asked.content, sealContext))
    const fits = asked?.accountId === accountId && waiting?.provider === id && waiting.visit === visitOf(visitor)
    if (!fits || waiting === null) throw ApiError.of('provider_state_mismatch', {})
    if (error === 'access_denied') throw ApiError.of('provider_denied', { name: provider.name })
    const { nonce, codeVerifier } = waiting
    const identity = await orFault(provider, () => {
      if (code === null) throw new ProviderFault('the provider sent an error back')
      return provider.identify({ redirectUri: redirectUri(siteUrl, id), code, nonce, codeVerifier })
    })
    return { identity, waiting, provider }
  }

  const recordOf = ({ issuer, subject, email }: Identity, accountId: string): IdentityRecord => {
    const createdAt = clock.now()
    return { id: newId('idn'), accountId, issuer, subject, email, createdAt, lastUsedAt: null }
  }

  const connect = async (identity: Identity, provider: Provider, by: Omit<Actor, 'sessionId'>) => {
    const event = accountEvent('account.identity_connected', by, clock.now(), { provider: provider.id })
    return store.identities.connect(recordOf(identity, by.accountId), event)
  }

  const enterKnown = async (identity: Identity, visitor: Visitor): Promise<Entry | null> => {
    const { issuer, subject } = identity
    const known = await store.identities.find(issuer, subject)
    return known === null ? null : entrance.enter(known, { kind: 'identity', issuer, subject }, visitor, 'provider')
  }

  /**
   * Nobody is joined to an account by an email alone: whoever typed it here first need not be who owns it there. Both
   * sides must have seen that it is theirs.
   */
  const joinByEmail = async (identity: Identity, { emailKey }: Email, provider: Provider, visitor: Visitor) => {
    const known = await store.accounts.findByEmail(emailKey)
    if (known === null) return null
    const { id: accountId, emailVerified } = known.account
    const mayJoin = identity.emailVerified && emailVerified
    const { address } = visitor
    const outcome = mayJoin ? await connect(identity, provider, { accountId, address }) : 'refused'
    if (outcome !== 'connected') throw ApiError.of('identity_email_taken', { name: provider.name })
    return enterKnown(identity, visitor)
  }

  return {
    list: providers.map(({ id, name }) => ({ id, name })),
    begin: (id, siteUrl, visitor, ask) => leave(id, siteUrl, visitor, null, ask),
    async finish(id, siteUrl, reply, visitor) {
      const { identity, waiting, provider } = await comeBack(id, siteUrl, reply, visitor, null)
      const entry = await enterKnown(identity, visitor)
      const { next } = waiting
      if (entry !== null) return { isNew: false, entry, next }
      const email = emailOf(identity, provider)
      const joined = await joinByEmail(identity, email, provider, visitor)
      if (joined !== null) return { isNew: false, entry: joined, next }
      const person = { email: email.email, language: waiting.language, identity }
      return { isNew: true, signedIn: await signUp.createFrom(person, waiting.invitation, visitor) }
    },
    async beginConnect(id, siteUrl, visitor, holder) {
      confirmations.requireFresh(holder)
      return leave(id, siteUrl, visitor, holder.accountId, { invitation: null, language: 'en', next: null })
    },
    async finishConnect(id, siteUrl, reply, visitor, by) {
      const { identity, provider } = await comeBack(id, siteUrl, reply, visitor, by.accountId)
      const outcome = await connect(identity, provider, by)
      if (outcome === 'taken') throw ApiError.of('identity_taken', { name: provider.name })
      if (outcome === 'another') throw ApiError.of('identity_another', { name: provider.name })
    },
    async identities(accountId) {
      const found = await store.identities.list(accountId)
      return found.map(({ id, issuer, email, createdAt, lastUsedAt }) => {
        const provider = providers.find((each) => each.issuer === issuer)
        return { id, provider: provider?.id ?? null, name: provider?.name ?? issuer, email, createdAt, lastUsedAt }
      })
    },
    async disconnect(holder, id) {
      confirmations.requireFresh(holder)
      const event = accountEvent('account.identity_removed', holder, clock.now())
      const outcome = await store.identities.remove(holder.accountId, id, event)
      if (outcome === 'not_found') throw ApiError.of('identity_not_found', { id: id.slice(0, 64) })
      if (outcome === 'last_way_in') throw ApiError.of('last_way_in', {})
    },
  }
}

/** Each provider has an address of its own to send people back to: one must not get the code of another. */
const redirectUri = (siteUrl: string, provider: string): string => `${siteUrl}/callback/${provider}`

const visitOf = ({ visitToken }: Visitor): string => Buffer.from(hashToken(visitToken ?? '')).toString('base64url')

const sealContext = 'provider'

/** True because only `leave` writes what is read here. */
const readWaiting = (content: Buffer | null): Waiting | null =>
  content === null ? null : (JSON.parse(content.toString()) as Waiting)

const orFault = async <Value>({ name, id }: Provider, work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    throw ApiError.of('provider_failed', { name }, { cause: `${id}: ${error.message}` })
  }
}

const emailOf = ({ email }: Identity, { name }: Provider): Email => {
  try {
    return checkEmail(email ?? '')
  } catch {
    throw ApiError.of('identity_without_email', { name })
  }
}
