import { createHash, randomBytes } from 'node:crypto'
import type { LanguageCode } from '../../../languages/language.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { parseJsonText } from '../../base/parse-json-text.ts'
import { toNetwork } from '../../base/to-network.ts'
import type { Store } from '../../store/contract.ts'
import type { ChallengeRecord } from '../../store/sign-in-contract.ts'
import type { CreateAttemptLimit } from '../attempts/attempt-limit.ts'
import type { Seal } from '../secrets/seal.ts'
import { sealedContexts } from '../secrets/sealed-contexts.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'
import type { Visitor } from '../sessions/sessions.ts'
import type { SentInvitation } from '../teams/invitations.ts'
import { type Identity, type Provider, ProviderFault } from './provider.ts'

/** What a browser is sent to a provider for. */
export type SignInPurpose = {
  kind: 'sign_in'
  /** Used if the identity is new and an account is created. */
  invitation: SentInvitation | null
  language: LanguageCode
  /** The page that the user wanted before they were asked to sign in. */
  next: string | null
}
type Purpose = SignInPurpose | { kind: 'connect'; accountId: string }

/** An attempt whose browser has come back. */
type ResumedAttempt = { provider: Provider; nonce: string; codeVerifier: string; purpose: Purpose }

/** What the browser brought back from the provider. */
export type ProviderReply = { state: string; code: string | null; error: string | null }

type ProviderAttemptsDependencies = {
  store: Pick<Store, 'challenges'>
  clock: Clock
  seal: Seal
  providers: readonly Provider[]
  createLimit: CreateAttemptLimit
}

export type ProviderAttempts = ReturnType<typeof createProviderAttempts>

const lifeMs = 10 * 60_000
const startsPerNetwork = { max: 100, perMs: 15 * 60_000 }

/** Trips of browsers to a provider and back: each is started, resumed once, then exchanged for an identity. */
export const createProviderAttempts = (dependencies: ProviderAttemptsDependencies) => {
  const { store, clock, seal, providers, createLimit } = dependencies
  const perNetwork = createLimit('provider', startsPerNetwork)

  const requireProvider = (id: string): Provider => {
    const provider = providers.find((each) => each.id === id)
    if (provider === undefined) throw ApiError.of('provider_not_found', { id: id.slice(0, 64) })
    return provider
  }

  return {
    /** Resolves to the provider's address, for the browser to open. */
    async start(providerId: string, siteUrl: string, visitor: Visitor, purpose: Purpose): Promise<string> {
      const provider = requireProvider(providerId)
      await perNetwork.consume(toNetwork(visitor.address))
      // The page reads from the prefix what the attempt is for.
      const state = `${purpose.kind === 'sign_in' ? 'enter' : 'connect'}.${mintToken()}`
      const nonce = mintToken()
      const codeVerifier = randomBytes(48).toString('base64url')
      const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
      const request = { redirectUri: redirectUri(siteUrl, provider), state, nonce, codeChallenge }
      const url = await orProviderFailed(provider, () => provider.signInUrl(request))
      const content: AttemptContent = { provider: providerId, nonce, codeVerifier, visit: hashVisit(visitor) }
      const { accountId, ...rest } = purpose.kind === 'connect' ? purpose : { ...purpose, accountId: null }
      const now = clock.now()
      // Sealed, because the content may include an invitation's token, which is otherwise stored only as a hash.
      const sealed = seal.close(Buffer.from(JSON.stringify({ ...content, ...rest })), sealContext)
      const record = { kind: 'provider', accountId, content: sealed, triesLeft: 1, expiresAt: now + lifeMs } as const
      await store.challenges.insert(record, hashToken(state), now)
      return url
    },
    /** Uses the attempt up. Throws unless this browser started it with this provider. */
    async resume(providerId: string, state: string, visitor: Visitor): Promise<ResumedAttempt> {
      const provider = requireProvider(providerId)
      const challenge = await store.challenges.take('provider', hashToken(state), clock.now())
      const attempt = challenge === null ? null : readAttempt(challenge, seal)
      const isSameBrowser = visitor.visitToken !== null && attempt?.visit === hashVisit(visitor)
      if (attempt === null || attempt.provider !== providerId || !isSameBrowser) throw stateMismatch()
      return { ...attempt, provider }
    },
    /** Throws if the user declined, or the provider failed. */
    async identify(attempt: ResumedAttempt, siteUrl: string, { code, error }: ProviderReply): Promise<Identity> {
      const { provider, nonce, codeVerifier } = attempt
      if (error === 'access_denied') throw ApiError.of('provider_denied', { name: provider.name })
      return orProviderFailed(provider, () => {
        if (code === null) throw new ProviderFault('the provider sent an error back')
        return provider.identify({ redirectUri: redirectUri(siteUrl, provider), code, nonce, codeVerifier })
      })
    },
  }
}

export const stateMismatch = (): ApiError => ApiError.of('provider_state_mismatch', {})

/** Each provider has its own redirect address, so that none receives another's code. */
const redirectUri = (siteUrl: string, { id }: Provider): string => `${siteUrl}/callback/${id}`

const hashVisit = ({ visitToken }: Visitor): string => Buffer.from(hashToken(visitToken ?? '')).toString('base64url')

const sealContext = sealedContexts.challenge()

/** `visit` identifies the browser that left: no other may come back in its place. */
type AttemptContent = { provider: string; nonce: string; codeVerifier: string; visit: string }

/** Safe because only `start` writes this content. */
const asContent = (value: unknown): AttemptContent & SignInPurpose => value as AttemptContent & SignInPurpose

/** A challenge without an account is for a sign-in. */
const readAttempt = ({ accountId, content }: ChallengeRecord, seal: Seal) => {
  const opened = seal.open(content, sealContext)
  if (opened === null) return null
  const stored = asContent(parseJsonText(opened.toString()))
  const { invitation, language, next } = stored
  const purpose: Purpose =
    accountId === null ? { kind: 'sign_in', invitation, language, next } : { kind: 'connect', accountId }
  return { ...stored, purpose }
}

const orProviderFailed = async <Value>({ name, id }: Provider, work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    throw ApiError.of('provider_failed', { name }, { cause: `${id}: ${error.message}` })
  }
}
