import { PlatformError } from './platform-error.ts'

/** The browser's own side of a passkey. What goes over the wire is base64url, what the browser takes is bytes. */
type Credential = { type: 'public-key'; id: string; transports?: AuthenticatorTransport[] }

/** What the server asks an authenticator that is to sign in, or to confirm. */
export type PasskeyQuestion = {
  challenge: string
  rpId: string
  timeout: number
  userVerification: UserVerificationRequirement
  allowCredentials: Credential[]
}

/** What it asks one that is to make a new passkey. */
export type NewPasskeyQuestion = {
  challenge: string
  rp: PublicKeyCredentialRpEntity
  user: { id: string; name: string; displayName: string }
  pubKeyCredParams: PublicKeyCredentialParameters[]
  timeout: number
  attestation: AttestationConveyancePreference
  authenticatorSelection: AuthenticatorSelectionCriteria
  excludeCredentials: Credential[]
}

/** Browsers have them on secure pages only, and not all browsers do. */
export const knowsPasskeys = (): boolean => isSecureContext && typeof PublicKeyCredential === 'function'

export const signWithPasskey = async (question: PasskeyQuestion): Promise<Record<string, string | null>> => {
  const publicKey = {
    ...question,
    challenge: toBytes(question.challenge),
    allowCredentials: question.allowCredentials.map(withBytes),
  }
  const { id, response } = await ask(() => navigator.credentials.get({ publicKey }))
  if (!(response instanceof AuthenticatorAssertionResponse)) throw cancelled()
  return {
    id,
    clientDataJSON: toText(response.clientDataJSON),
    authenticatorData: toText(response.authenticatorData),
    signature: toText(response.signature),
    userHandle: response.userHandle === null ? null : toText(response.userHandle),
  }
}

export const makePasskey = async (question: NewPasskeyQuestion): Promise<Record<string, string | string[]>> => {
  const publicKey = {
    ...question,
    challenge: toBytes(question.challenge),
    user: { ...question.user, id: toBytes(question.user.id) },
    excludeCredentials: question.excludeCredentials.map(withBytes),
  }
  const { id, response } = await ask(() => navigator.credentials.create({ publicKey }))
  if (!(response instanceof AuthenticatorAttestationResponse)) throw cancelled()
  return {
    id,
    clientDataJSON: toText(response.clientDataJSON),
    attestationObject: toText(response.attestationObject),
    transports: response.getTransports(),
  }
}

/** Closing the browser's dialog is a cancellation, not an error. */
const ask = async (open: () => Promise<unknown>): Promise<PublicKeyCredential> => {
  const credential = await open().catch((error: unknown) => {
    throw error instanceof DOMException && error.name === 'InvalidStateError' ? known() : cancelled()
  })
  if (!(credential instanceof PublicKeyCredential)) throw cancelled()
  return credential
}

const cancelled = (): PlatformError => new PlatformError({ status: 0, code: 'passkey_cancelled', message: 'cancelled' })
const known = (): PlatformError => new PlatformError({ status: 0, code: 'passkey_known', message: 'known already' })

const withBytes = ({ id, ...credential }: Credential) => ({ ...credential, id: toBytes(id) })

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
