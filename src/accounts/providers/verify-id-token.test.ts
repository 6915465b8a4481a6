import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createLocalJWKSet, type JWK } from 'jose'
import { expect, test } from 'vitest'
import { manualDay } from '../../../test/harness/manual-clock.ts'
import { ProviderFault } from './provider.ts'
import { verifyIdToken } from './verify-id-token.ts'

// Long expired by the system's clock, so that a check against that one fails here.
const now = manualDay
const seconds = now / 1000
const expected = { issuer: 'https://id.example.com', clientId: 'helix', nonce: 'n-1', now }
const goodClaims = { iss: expected.issuer, aud: 'helix', sub: 'ann', nonce: 'n-1', iat: seconds, exp: seconds + 300 }

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = (key: KeyObject): JWK => key.export({ format: 'jwk' }) as JWK
const publicRsa: JWK = { ...jwk(rsa.publicKey), kid: 'one', use: 'sig' }

type Signer = (text: Buffer) => Buffer
const byRsa: Signer = (text) => sign('sha256', text, rsa.privateKey)

const signToken = (claims: unknown, header: unknown = { alg: 'RS256', kid: 'one' }, signer = byRsa): string => {
  const text = `${encode(header)}.${encode(claims)}`
  return `${text}.${signer(Buffer.from(text)).toString('base64url')}`
}
const read = (token: string, keys: JWK[] = [publicRsa]) => verifyIdToken(token, createLocalJWKSet({ keys }), expected)
const expectRefused = async (token: string, keys?: JWK[], reason = /^the ID token/) => {
  const error = await read(token, keys).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ProviderFault)
  expect((error as ProviderFault).message).toMatch(reason)
}

test('a token that the provider signed for this client and this sign-in is accepted', async () => {
  expect(await read(signToken(goodClaims))).toMatchObject({ sub: 'ann' })
  expect(await read(signToken({ ...goodClaims, aud: ['helix', 'other'], azp: 'helix' }))).toMatchObject({ sub: 'ann' })
})

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')

test('elliptic curve keys are accepted, and a provider with a single key need not name it', async () => {
  const byEc: Signer = (text) => sign('sha256', text, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' })
  const byEd: Signer = (text) => sign(null, text, ed.privateKey)
  expect(await read(signToken(goodClaims, { alg: 'ES256' }, byEc), [jwk(ec.publicKey)])).toMatchObject({ sub: 'ann' })
  expect(await read(signToken(goodClaims, { alg: 'EdDSA' }, byEd), [jwk(ed.publicKey)])).toMatchObject({ sub: 'ann' })
})

test.each([
  ['another issuer', { iss: 'https://evil.example.com' }, 'iss'],
  ['the issuer with a slash', { iss: `${expected.issuer}/` }, 'iss'],
  ['no issuer', { iss: undefined }, 'iss'],
  ['another audience', { aud: 'somebody' }, 'aud'],
  ['no audience', { aud: [] }, 'aud'],
  ['an audience that begins with ours', { aud: 'helix-2' }, 'aud'],
  ['several audiences without azp', { aud: ['helix', 'other'] }, 'azp'],
  ['several audiences and another azp', { aud: ['helix', 'other'], azp: 'other' }, 'azp'],
  ['our audience alone and another azp', { azp: 'other' }, 'azp'],
  ['a list of clients as azp', { aud: ['helix', 'other'], azp: ['helix'] }, 'azp'],
  ['an expiry a second beyond the tolerance', { exp: seconds - 61 }, 'EXPIRED'],
  ['an expiry at the tolerance', { exp: seconds - 60 }, 'EXPIRED'],
  ['no expiry', { exp: undefined }, 'exp'],
  ['an expiry as text', { exp: String(seconds + 300) }, 'exp'],
  ['a time of issue in the future', { iat: seconds + 61 }, 'iat'],
  ['a time of issue before the sign-in began', { iat: seconds - 661 }, 'iat'],
  ['no time of issue', { iat: undefined }, 'iat'],
  ['a start in the future', { nbf: seconds + 61 }, 'nbf'],
  ['the nonce of another sign-in', { nonce: 'n-2' }, 'nonce'],
  ['no nonce', { nonce: undefined }, 'nonce'],
  ['a list with the nonce', { nonce: ['n-1'] }, 'nonce'],
  ['an empty subject', { sub: '' }, 'sub'],
  ['no subject', { sub: undefined }, 'sub'],
  ['a number as subject', { sub: 1 }, 'sub'],
  ['a subject that is too long', { sub: 'a'.repeat(256) }, 'sub'],
])('a token is refused if it has %s', async (_, wrong, named) => {
  await expectRefused(signToken({ ...goodClaims, ...wrong }), undefined, new RegExp(named))
})

test('clocks may differ by a minute', async () => {
  const { sub } = await read(signToken({ ...goodClaims, iat: seconds + 59, nbf: seconds + 59, exp: seconds - 59 }))
  expect(sub).toBe('ann')
})

const byHmac =
  (secret: string | Buffer): Signer =>
  (text) =>
    createHmac('sha256', secret).update(text).digest()
const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' })
const der = rsa.publicKey.export({ type: 'spki', format: 'der' })
const none: Signer = () => Buffer.alloc(0)

test.each<[string, unknown, Signer]>([
  ['nothing (alg none)', { alg: 'none' }, none],
  ['nothing (alg none, and the name of a key)', { alg: 'none', kid: 'one' }, none],
  ['nothing (alg NONE)', { alg: 'NONE', kid: 'one' }, none],
  ['nothing (no alg)', { kid: 'one' }, none],
  ['the public key (PEM) as a shared secret', { alg: 'HS256', kid: 'one' }, byHmac(pem)],
  ['the public key (DER) as a shared secret', { alg: 'HS256', kid: 'one' }, byHmac(der)],
  ['the modulus as a shared secret', { alg: 'HS256', kid: 'one' }, byHmac(Buffer.from(publicRsa.n ?? '', 'base64url'))],
  ['an empty shared secret', { alg: 'HS256', kid: 'one' }, byHmac('')],
  ['a name from the prototype', { alg: 'toString', kid: 'one' }, byRsa],
  ['another algorithm than it says', { alg: 'PS256', kid: 'one' }, byRsa],
  ['an RSA key under an elliptic algorithm', { alg: 'ES256', kid: 'one' }, byRsa],
  ['zeros', { alg: 'RS256', kid: 'one' }, () => Buffer.alloc(256)],
  ['nothing under RS256', { alg: 'RS256', kid: 'one' }, none],
  ['an extension that nobody knows', { alg: 'RS256', kid: 'one', crit: ['x'], x: 1 }, byRsa],
])('a token is refused that is signed with %s', async (_, header, signer) => {
  await expectRefused(signToken(goodClaims, header, signer))
})

test('a token that contains its own key is refused', async () => {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const header = { alg: 'RS256', kid: 'one', jwk: jwk(own.publicKey) }
  await expectRefused(signToken(goodClaims, header, (text) => sign('sha256', text, own.privateKey)))
})

test('a shared secret is refused even if the provider publishes one', async () => {
  const secret = Buffer.alloc(32, 1)
  const keys = [{ kty: 'oct', kid: 'one', k: secret.toString('base64url') }]
  await expectRefused(signToken(goodClaims, { alg: 'HS256', kid: 'one' }, byHmac(secret)), keys, /ALG_NOT_ALLOWED/)
})

test('an RSA key of 1024 bits is refused, and so is one that cannot be read', async () => {
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const token = signToken(goodClaims, { alg: 'RS256' }, (text) => sign('sha256', text, short.privateKey))
  await expectRefused(token, [jwk(short.publicKey)], /key it names cannot be used/)
  await expectRefused(signToken(goodClaims), [{ kty: 'RSA', kid: 'one', n: '!', e: 'AQAB' }])
})

test('a token that was changed after it was signed is refused', async () => {
  const [head, , signature] = signToken(goodClaims).split('.')
  const changed = `${head}.${encode({ ...goodClaims, sub: 'bob' })}.${signature}`
  await expectRefused(changed, undefined, /SIGNATURE_VERIFICATION_FAILED/)
})

test('a token is refused if its key is unknown to the provider, or is for encryption', async () => {
  const token = signToken(goodClaims, { alg: 'RS256', kid: 'two' })
  await expectRefused(token, undefined, /NO_MATCHING_KEY/)
  await expectRefused(token, [{ ...publicRsa, kid: 'two', use: 'enc' }], /NO_MATCHING_KEY/)
})

test('a signed token of a megabyte is refused before it is parsed', async () => {
  const token = signToken({ ...goodClaims, padding: 'x'.repeat(1_000_000) })
  let asked = 0
  const keys = () => {
    asked += 1
    return publicRsa
  }
  await expect(verifyIdToken(token, keys, expected)).rejects.toThrow('the ID token is too long')
  expect(asked).toBe(0)
})

test('the logged reason contains nothing of the token', async () => {
  const error = await read(signToken({ ...goodClaims, aud: 'somebody', email: 'ann@example.com' })).catch(
    (caught) => caught,
  )
  expect(error.message).toBe('the ID token was refused: ERR_JWT_CLAIM_VALIDATION_FAILED (aud)')
  expect(error.cause).toBeUndefined()
})

test.each(['', '.', 'a.b.c', 'a.b.c.d', `${encode([])}.${encode({})}.`, `${signToken(goodClaims)}.`])(
  '%j is not a token',
  (text) => expectRefused(text),
)
