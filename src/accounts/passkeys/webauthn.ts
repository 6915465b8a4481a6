/**
 * Checks what authenticators sign. The library is loaded when the first passkey is used: it is larger than the rest of the
 * server's start, and many servers never need it.
 */
import type { PasskeyRecord } from '../../store/sign-in-contract.ts'

/** The host name that passkeys are bound to, and the address of the pages that may ask for them. */
export type RelyingParty = { id: string; origin: string }

/** What a new passkey says of itself. All parts are base64url. */
export type NewPasskey = {
  id: string
  clientDataJSON: string
  attestationObject: string
  transports: readonly string[]
}

/** What a passkey says when it is used. */
export type PasskeyUse = {
  id: string
  clientDataJSON: string
  authenticatorData: string
  signature: string
  userHandle: string | null
}

/** ES256, EdDSA and RS256: what authenticators have, and the library and Node both know. */
export const algorithms = [-7, -8, -257]

type Checked = Pick<PasskeyRecord, 'credentialId' | 'publicKey' | 'counter'>

/** Null unless it was made on a page of ours, for this challenge, and somebody was there and proved it. */
export const checkNewPasskey = async (
  sent: NewPasskey,
  challenge: string,
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
): Promise<Checked | null> => {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { id, clientDataJSON, attestationObject } = sent
  const response = { clientDataJSON, attestationObject }
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      supportedAlgorithmIDs: algorithms,
    })
    if (registrationInfo === undefined) return null
    const { id: credentialId, publicKey, counter } = registrationInfo.credential
    return { credentialId, publicKey, counter }
  } catch {
    return null
  }
}

/** The counter of the authenticator; null unless the passkey signed this challenge, here, and somebody proved to be there. */
export const checkPasskeyUse = async (
  sent: PasskeyUse,
  challenge: string,
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  { credentialId, publicKey, counter }: PasskeyRecord,
): Promise<{ counter: number } | null> => {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, clientDataJSON, authenticatorData, signature } = sent
  const response = { clientDataJSON, authenticatorData, signature }
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter },
    })
    return verified ? { counter: authenticationInfo.newCounter } : null
  } catch {
    return null
  }
}

/** The question that was answered, as the browser wrote it down; null where it was asked from another site's frame. */
export const challengeIn = (clientDataJSON: string): string | null => {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return null
    const isFramed = 'crossOrigin' in data && data.crossOrigin === true
    return typeof data.challenge === 'string' && !isFramed ? data.challenge : null
  } catch {
    return null
  }
}
