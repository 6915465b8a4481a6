import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/contract.ts'
import type { ChallengeKind, PasskeyRecord } from '../../store/sign-in-contract.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'
import { algorithms, challengeIn, type RelyingParty } from './webauthn.ts'

/** A person has a few minutes to find the phone. */
const lifeMs = 5 * 60_000

export type PasskeyKind = Extract<ChallengeKind, 'passkey' | 'new_passkey'>

/** Questions to an authenticator: each is answered once, by whom it was put to. */
export const createQuestions = ({ store, clock }: { store: Pick<Store, 'challenges'>; clock: Clock }) => ({
  async ask(kind: PasskeyKind, accountId: string | null): Promise<string> {
    const challenge = mintToken()
    const now = clock.now()
    const record = { kind, accountId, content: '{}', triesLeft: 1, expiresAt: now + lifeMs }
    await store.challenges.insert(record, hashToken(challenge), now)
    return challenge
  },
  /** Null when nobody asked, it was answered before, it took too long, or it was put to somebody else. */
  async take(kind: PasskeyKind, accountId: string | null, clientDataJSON: string): Promise<string | null> {
    const challenge = challengeIn(clientDataJSON)
    if (challenge === null) return null
    const asked = await store.challenges.take(kind, hashToken(challenge), clock.now())
    return asked !== null && asked.accountId === accountId ? challenge : null
  },
})

const credentials = (passkeys: readonly PasskeyRecord[], { id }: RelyingParty) =>
  passkeys
    .filter(({ relyingParty }) => relyingParty === id)
    .map(({ credentialId, transports }) => ({ type: 'public-key', id: credentialId, transports }))

/** What `navigator.credentials.get` is given. Without passkeys the authenticator shows those that it has. */
export const optionsOfUse = (challenge: string, party: RelyingParty, passkeys: readonly PasskeyRecord[]) => ({
  challenge,
  rpId: party.id,
  timeout: lifeMs,
  userVerification: 'required',
  allowCredentials: credentials(passkeys, party),
})

type NewOwner = { accountId: string; email: string; name: string | null }

/**
 * What `navigator.credentials.create` is given: a passkey that can be found without the email, and that asks for a finger,
 * a face or a PIN. No attestation: whose make the authenticator is is nobody's business.
 */
export const optionsOfNew = (
  challenge: string,
  party: RelyingParty,
  { accountId, email, name }: NewOwner,
  passkeys: readonly PasskeyRecord[],
) => ({
  challenge,
  rp: { id: party.id, name: 'Helix' },
  user: { id: Buffer.from(accountId).toString('base64url'), name: email, displayName: name ?? email },
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
  timeout: lifeMs,
  attestation: 'none',
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  excludeCredentials: credentials(passkeys, party),
})
