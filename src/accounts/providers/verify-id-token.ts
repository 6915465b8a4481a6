import { constants, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import { isRecord } from './json-record.ts'
import { ProviderFault } from './provider.ts'

export type Claims = Record<string, unknown> & { sub: string }

type Expected = { issuer: string; clientId: string; nonce: string; now: number }

/** How far two clocks may differ. */
const skewSeconds = 60

/**
 * OpenID Connect Core §3.1.3.7. Throws unless one of the provider's keys signed the token, for us, in answer to our
 * question, and it is still good.
 */
export const verifyIdToken = (token: string, keys: readonly JsonWebKey[], expected: Expected): Claims => {
  const [head = '', body = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) throw new ProviderFault('the ID token has not three parts')
  const header = readPart(head)
  const key = keyOf(header, keys)
  if (!isSigned(header.alg, key, `${head}.${body}`, Buffer.from(signature, 'base64url')))
    throw new ProviderFault('the signature of the ID token is wrong')
  return checkClaims(readPart(body), expected)
}

const readPart = (part: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    if (isRecord(value)) return value
  } catch {}
  throw new ProviderFault('the ID token cannot be read')
}

type Check = (text: Buffer, key: KeyObject, signature: Buffer) => boolean
const rsa = { padding: constants.RSA_PKCS1_PADDING }
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
const plain = { dsaEncoding: 'ieee-p1363' } as const

/**
 * The algorithms we take, each with the one kind of key that it goes with. `none`, and those that take a shared secret, are
 * not among them: a token must not be able to choose how little it has to prove.
 */
const algorithms: Record<string, { keyType: string; curve?: string; check: Check }> = {
  RS256: { keyType: 'rsa', check: (text, key, signature) => verify('sha256', text, { key, ...rsa }, signature) },
  RS384: { keyType: 'rsa', check: (text, key, signature) => verify('sha384', text, { key, ...rsa }, signature) },
  RS512: { keyType: 'rsa', check: (text, key, signature) => verify('sha512', text, { key, ...rsa }, signature) },
  PS256: { keyType: 'rsa', check: (text, key, signature) => verify('sha256', text, { key, ...pss }, signature) },
  ES256: {
    keyType: 'ec',
    curve: 'prime256v1',
    check: (text, key, signature) => verify('sha256', text, { key, ...plain }, signature),
  },
  ES384: {
    keyType: 'ec',
    curve: 'secp384r1',
    check: (text, key, signature) => verify('sha384', text, { key, ...plain }, signature),
  },
  EdDSA: { keyType: 'ed25519', check: (text, key, signature) => verify(null, text, key, signature) },
}

const isSigned = (name: unknown, key: KeyObject, text: string, signature: Buffer): boolean => {
  const algorithm = typeof name === 'string' && Object.hasOwn(algorithms, name) ? algorithms[name] : undefined
  if (algorithm === undefined) throw new ProviderFault('the ID token is signed in a way that is not taken')
  const fits =
    key.asymmetricKeyType === algorithm.keyType &&
    (algorithm.curve === undefined || key.asymmetricKeyDetails?.namedCurve === algorithm.curve)
  return fits && algorithm.check(Buffer.from(text), key, signature)
}

/** By its id; a provider with a single key need not name it. */
const keyOf = ({ kid }: Record<string, unknown>, keys: readonly JsonWebKey[]): KeyObject => {
  const signing = keys.filter(({ use }) => use === undefined || use === 'sig')
  const named = kid === undefined ? signing : signing.filter((key) => key.kid === kid)
  const [key] = named
  if (key === undefined || named.length > 1) throw new UnknownKey('the ID token is signed by a key that is not known')
  try {
    return createPublicKey({ key, format: 'jwk' })
  } catch {
    throw new ProviderFault('a key of the provider cannot be read')
  }
}

/** The provider may have new keys since we asked for them. */
export class UnknownKey extends ProviderFault {}

const checkClaims = (claims: Record<string, unknown>, { issuer, clientId, nonce, now }: Expected): Claims => {
  const { iss, aud, azp, exp, iat, nbf, sub } = claims
  const seconds = now / 1000
  const audience = [aud].flat()
  const refuse = (reason: string): never => {
    throw new ProviderFault(`the ID token ${reason}`)
  }
  if (iss !== issuer) refuse('is from another issuer')
  if (!audience.includes(clientId)) refuse('is for somebody else')
  if ((audience.length > 1 || azp !== undefined) && azp !== clientId) refuse('was asked for by somebody else')
  if (typeof exp !== 'number' || exp + skewSeconds <= seconds) refuse('has expired')
  if (typeof iat !== 'number' || iat - skewSeconds > seconds) refuse('is from the future')
  if (nbf !== undefined && (typeof nbf !== 'number' || nbf - skewSeconds > seconds)) refuse('is not good yet')
  if (claims.nonce !== nonce) refuse('answers another question')
  if (typeof sub !== 'string' || sub === '' || sub.length > 255) return refuse('names nobody')
  return { ...claims, sub }
}
