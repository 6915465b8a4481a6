import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** Deviations from an honest authenticator in an honest browser. */
export type Lies = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  /** The signature counter; by default one more than before. */
  counter?: number
  userVerified?: boolean
  userHandle?: string | null
  /** Signs with a key other than the registered one. */
  otherKey?: boolean
}

type NewQuestion = { challenge: string; rp: { id: string }; user: { id: string } }
type Question = { challenge: string; rpId: string }

const userPresent = 0x01
const userVerified = 0x04
const holdsCredential = 0x40

/** A software authenticator and its browser: one passkey (ES256), created and used as WebAuthn specifies. */
export const createAuthenticator = (pageOrigin: string, { counts = true } = {}) => {
  const id = randomBytes(32)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let counter = 0
  let owner = ''

  const clientData = (type: string, asked: string, lies: Lies): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? asked,
        origin: lies.origin ?? pageOrigin,
        crossOrigin: lies.crossOrigin ?? false,
      }),
    )
  const authData = (rpId: string, flags: number, lies: Lies, more: Buffer = Buffer.alloc(0)): Buffer => {
    if (counts) counter = lies.counter ?? counter + 1
    const head = Buffer.alloc(5)
    head.writeUInt8(flags | userPresent | (lies.userVerified === false ? 0 : userVerified))
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(lies.rpId ?? rpId), head, more])
  }
  return {
    id: id.toString('base64url'),
    /** `navigator.credentials.create` */
    make(question: NewQuestion, lies: Lies = {}) {
      owner = question.user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const data = authData(question.rp.id, holdsCredential, lies, credential)
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), bytes(data)],
      ])
      return {
        id: id.toString('base64url'),
        clientDataJSON: clientData('webauthn.create', question.challenge, lies).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      }
    },
    /** `navigator.credentials.get` */
    use(question: Question, lies: Lies = {}) {
      const client = clientData('webauthn.get', question.challenge, lies)
      const data = authData(question.rpId, 0, lies)
      const key = lies.otherKey ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : privateKey
      return {
        id: id.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), key).toString('base64url'),
        userHandle: lies.userHandle === undefined ? owner : lies.userHandle,
      }
    },
  }
}

const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()

/** The part of CBOR (RFC 8949) that an attestation without a statement needs. */
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
const bytes = (value: Buffer): Buffer => {
  const { length } = value
  const head = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), value])
}

/** RFC 9052 §7: kty EC2, alg ES256, crv P-256, x, y. */
const coseKey = (key: KeyObject): Buffer => {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const coordinate = (value: string): Buffer => bytes(Buffer.from(value, 'base64url'))
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    coordinate(x),
    Buffer.from([0x22]),
    coordinate(y),
  ])
}
