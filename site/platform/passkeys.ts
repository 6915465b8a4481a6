/** The browser's side of a passkey. Bytes are base64url in the API, and buffers in the browser. */
import type {
  NewPasskey,
  NewPasskeyQuestion,
  PasskeyQuestion,
  PasskeyUse,
} from '../../src/platform/contract/second-factor.ts'
import { PlatformError } from './platform-error.ts'

/** Browsers support them on secure pages only, and not all browsers do. */
export const knowsPasskeys = (): boolean => isSecureContext && typeof PublicKeyCredential === 'function'

export const signWithPasskey = async (question: PasskeyQuestion): Promise<PasskeyUse> => {
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

export const createPasskey = async (question: NewPasskeyQuestion): Promise<NewPasskey> => {
  const publicKey = {
    ...question,
    challenge: toBytes(question.challenge),
    user: { ...question.user, id: toBytes(question.user.id) },
    pubKeyCredParams: [...question.pubKeyCredParams],
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

type Credential = PasskeyQuestion['allowCredentials'][number]

const withBytes = ({ type, id, transports }: Credential) => ({ type, id: toBytes(id), transports: hints(transports) })

/** Sound because browsers ignore transports that they do not know. */
const hints = (transports: readonly string[]): AuthenticatorTransport[] => [...transports] as AuthenticatorTransport[]

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
