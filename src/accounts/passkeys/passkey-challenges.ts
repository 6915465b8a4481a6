import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/contract.ts'
import type { ChallengeKind, PasskeyRecord } from '../../store/sign-in-contract.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'
import { algorithms, challengeIn, type RelyingParty } from './webauthn.ts'

/** Enough time for a user to find the authenticator. */
const lifeMs = 5 * 60_000

type PasskeyChallengeKind = Extract<ChallengeKind, 'passkey' | 'new_passkey'>

/** Challenges for an authenticator to sign. Each can be used once, by the account it was created for. */
export const createPasskeyChallenges = ({ store, clock }: { store: Pick<Store, 'challenges'>; clock: Clock }) => ({
  async create(kind: PasskeyChallengeKind, accountId: string | null): Promise<string> {
    const challenge = mintToken()
    const now = clock.now()
    const record = { kind, accountId, content: '{}', triesLeft: 1, expiresAt: now + lifeMs }
    await store.challenges.insert(record, hashToken(challenge), now)
    return challenge
  },
  /** Null when it is unknown, used, expired or another account's. */
  async use(kind: PasskeyChallengeKind, accountId: string | null, clientDataJSON: string): Promise<string | null> {
    const challenge = challengeIn(clientDataJSON)
    if (challenge === null) return null
    const record = await store.challenges.take(kind, hashToken(challenge), clock.now())
    return record !== null && record.accountId === accountId ? challenge : null
  },
})

const credentials = (passkeys: readonly PasskeyRecord[], { id }: RelyingParty) =>
  passkeys
    .filter(({ relyingParty }) => relyingParty === id)
    .map(({ credentialId, transports }) => ({ type: 'public-key' as const, id: credentialId, transports }))

/** For `navigator.credentials.get`. Without passkeys the authenticator offers those that it has. */
export const authenticationOptions = (
  challenge: string,
  relyingParty: RelyingParty,
  passkeys: readonly PasskeyRecord[],
) => ({
  challenge,
  rpId: relyingParty.id,
  timeout: lifeMs,
  userVerification: 'required' as const,
  allowCredentials: credentials(passkeys, relyingParty),
})

type NewOwner = { accountId: string; email: string; name: string | null }

/**
 * For `navigator.credentials.create`: a discoverable passkey, which needs no email, with user verification by fingerprint,
 * face or PIN. Without attestation, because the make of the authenticator does not matter.
 */
export const registrationOptions = (
  challenge: string,
  relyingParty: RelyingParty,
  { accountId, email, name }: NewOwner,
  passkeys: readonly PasskeyRecord[],
) => ({
  challenge,
  rp: { id: relyingParty.id, name: 'Helix' },
  user: { id: Buffer.from(accountId).toString('base64url'), name: email, displayName: name ?? email },
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: lifeMs,
  attestation: 'none' as const,
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true,
    userVerification: 'required' as const,
  },
  excludeCredentials: credentials(passkeys, relyingParty),
})
