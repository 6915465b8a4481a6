/**
 * Checks signatures of authenticators. The library is loaded when the first passkey is used: it takes longer to load than
 * the rest of the server, and many servers never need it.
 */
import { parseJsonText } from '../../base/parse-json-text.ts'
import type { PasskeyRecord } from '../../store/sign-in-contract.ts'

/** The host name that passkeys are bound to, and the origin of the pages that may use them. */
export type RelyingParty = { id: string; origin: string }

/** The response of `navigator.credentials.create`, in base64url. */
export type NewPasskey = {
  id: string
  clientDataJSON: string
  attestationObject: string
  transports: readonly string[]
}

/** The response of `navigator.credentials.get`, in base64url. */
export type PasskeyUse = {
  id: string
  clientDataJSON: string
  authenticatorData: string
  signature: string
  userHandle: string | null
}

/** ES256, EdDSA and RS256, which authenticators, the library and Node all support. */
export const algorithms = [-7, -8, -257]

type Checked = Pick<PasskeyRecord, 'credentialId' | 'publicKey' | 'counter'>

/** Null unless it was created on one of our pages, for this challenge, with user verification. */
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

/** The authenticator's counter; null unless the passkey signed this challenge on one of our pages, with user verification. */
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

/** The challenge that was signed, according to the browser; null if it was requested from another site's frame. */
export const challengeIn = (clientDataJSON: string): string | null => {
  try {
    const data = parseJsonText(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return null
    const isCrossOrigin = 'crossOrigin' in data && data.crossOrigin === true
    return typeof data.challenge === 'string' && !isCrossOrigin ? data.challenge : null
  } catch {
    return null
  }
}
