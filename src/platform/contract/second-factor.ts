import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { boolean, integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { get, post, session, visitor } from './operation.ts'
import { count } from './scalars.ts'
import { signedInAnswer } from './sign-in.ts'
import { passkey, signInMethods } from './sign-in-methods.ts'
import { typedCode, typedPassword } from './typed-secrets.ts'

const twoFactorSecret = object({ secret: string(), address: described('An `otpauth:` URL.', string()) })
export type TwoFactorSecret = Shape<typeof twoFactorSecret>
const recoveryCodes = object({ recoveryCodes: described('Returned only here.', array(string())) })

/** What the browser gives to an authenticator, in the words of WebAuthn. Bytes are base64url. */
const credentials = array(object({ type: oneOf('public-key'), id: string(), transports: array(string()) }))
const passkeyQuestion = object({
  challenge: string(),
  rpId: string(),
  timeout: count,
  userVerification: oneOf('required'),
  allowCredentials: credentials,
})
export type PasskeyQuestion = Shape<typeof passkeyQuestion>

const newPasskeyQuestion = object({
  challenge: string(),
  rp: object({ id: string(), name: string() }),
  user: object({ id: string(), name: string(), displayName: string() }),
  pubKeyCredParams: array(object({ type: oneOf('public-key'), alg: integer({ min: -65_536, max: 0 }) })),
  timeout: count,
  attestation: oneOf('none'),
  authenticatorSelection: object({
    residentKey: oneOf('required'),
    requireResidentKey: boolean,
    userVerification: oneOf('required'),
  }),
  excludeCredentials: credentials,
})
export type NewPasskeyQuestion = Shape<typeof newPasskeyQuestion>

const part = string({ maxLength: 16_384 })
const passkeyUse = object({
  id: part,
  clientDataJSON: part,
  authenticatorData: part,
  signature: part,
  userHandle: optional(nullable(part)),
})
export type PasskeyUse = Shape<typeof passkeyUse>
const newPasskeyFields = {
  id: part,
  clientDataJSON: part,
  attestationObject: part,
  transports: array(string({ maxLength: 32 }), { max: 16, of: 'strings' }),
}
const newPasskey = object({ name: string(), ...newPasskeyFields })
export type NewPasskey = Omit<Shape<typeof newPasskey>, 'name'>

export const secondFactorOperations = {
  askPasskey: post('/sign-in/passkey/question', visitor, 'Starts a sign-in with a passkey.', {
    answer: passkeyQuestion,
  }),
  signInByPasskey: post('/sign-in/passkey', visitor, 'Signs in with a passkey, which is a second factor as well.', {
    body: passkeyUse,
    answer: signedInAnswer,
  }),

  showSignInMethods: get('/account/sign-in-methods', session, 'Shows how you can sign in.', { answer: signInMethods }),
  confirm: post('/account/confirm', session, 'Confirms your identity, by a password or a code.', {
    body: object({ password: optional(typedPassword), code: optional(typedCode) }),
  }),
  askConfirmation: post('/account/confirm/passkey/question', session, 'Starts a confirmation with a passkey.', {
    answer: passkeyQuestion,
  }),
  confirmByPasskey: post('/account/confirm/passkey', session, 'Confirms your identity with a passkey.', {
    body: passkeyUse,
  }),

  beginTwoFactor: post('/account/two-factor/begin', session, 'Creates the secret for an authenticator app.', {
    answer: twoFactorSecret,
  }),
  confirmTwoFactor: post('/account/two-factor/confirm', session, 'Turns two-factor authentication on.', {
    body: object({ code: typedCode }),
    answer: recoveryCodes,
  }),
  renewRecoveryCodes: post('/account/two-factor/recovery-codes', session, 'Replaces all recovery codes.', {
    answer: recoveryCodes,
  }),
  switchOffTwoFactor: post('/account/two-factor/off', session, 'Turns two-factor authentication off.', {
    body: object({ password: optional(nullable(typedPassword)), code: typedCode }),
  }),

  askNewPasskey: post('/account/passkeys/question', session, 'Starts adding a passkey.', {
    answer: newPasskeyQuestion,
  }),
  addPasskey: post('/account/passkeys', session, 'Adds a passkey.', { body: newPasskey, answer: passkey, status: 201 }),
  renamePasskey: post('/account/passkeys/{passkey}/rename', session, 'Renames a passkey.', {
    body: object({ name: string() }),
  }),
  removePasskey: post('/account/passkeys/{passkey}/remove', session, 'Removes a passkey.', {}),
}
