import { createHmac, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { UnknownKey, verifyIdToken } from './verify-id-token.ts'

const now = Date.UTC(2026, 10, 15)
const seconds = now / 1000
const expected = { issuer: 'https://id.example.com', clientId: 'helix', nonce: 'n-1', now }
const goodClaims = { iss: expected.issuer, aud: 'helix', sub: 'ann', nonce: 'n-1', iat: seconds, exp: seconds + 300 }

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicRsa: JsonWebKey = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }

type Signer = (text: Buffer) => Buffer
const byRsa: Signer = (text) => sign('sha256', text, rsa.privateKey)

const tokenOf = (claims: unknown, header: unknown = { alg: 'RS256', kid: 'one' }, signer = byRsa): string => {
  const text = `${encode(header)}.${encode(claims)}`
  return `${text}.${signer(Buffer.from(text)).toString('base64url')}`
}
const read = (token: string, keys: JsonWebKey[] = [publicRsa]) => verifyIdToken(token, keys, expected)

test('a token that was signed by the provider, for us, in answer to our question, is believed', () => {
  expect(read(tokenOf(goodClaims))).toMatchObject({ sub: 'ann' })
  expect(read(tokenOf({ ...goodClaims, aud: ['helix', 'other'], azp: 'helix' }))).toMatchObject({ sub: 'ann' })
})

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')
const jwk = (key: KeyObject): JsonWebKey => key.export({ format: 'jwk' })

test('elliptic keys do as well, and a provider with one key need not name it', () => {
  const byEc: Signer = (text) => sign('sha256', text, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' })
  const byEd: Signer = (text) => sign(null, text, ed.privateKey)
  expect(read(tokenOf(goodClaims, { alg: 'ES256' }, byEc), [jwk(ec.publicKey)])).toMatchObject({ sub: 'ann' })
  expect(read(tokenOf(goodClaims, { alg: 'EdDSA' }, byEd), [jwk(ed.publicKey)])).toMatchObject({ sub: 'ann' })
})

test.each([
  ['another issuer', { iss: 'https://evil.example.com' }],
  ['another addressee', { aud: 'somebody' }],
  ['several addressees, and nothing that says who asked', { aud: ['helix', 'other'] }],
  ['asked for by another', { azp: 'other' }],
  ['expired', { exp: seconds - 61 }],
  ['without an end', { exp: undefined }],
  ['from the future', { iat: seconds + 61 }],
  ['not good yet', { nbf: seconds + 61 }],
  ['of another question', { nonce: 'n-2' }],
  ['of no question', { nonce: undefined }],
  ['about nobody', { sub: '' }],
])('a token is refused: %s', (_, wrong) => {
  expect(() => read(tokenOf({ ...goodClaims, ...wrong }))).toThrow(/the ID token/)
})

test('clocks may differ by a minute', () => {
  const { sub } = read(tokenOf({ ...goodClaims, iat: seconds + 59, exp: seconds - 59 }))
  expect(sub).toBe('ann')
})

const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' })

test.each([
  ['no signature', { alg: 'none' }, () => Buffer.alloc(0)],
  ['no signature, in capitals', { alg: 'NONE' }, () => Buffer.alloc(0)],
  [
    'the public key for a secret',
    { alg: 'HS256', kid: 'one' },
    (text: Buffer) => createHmac('sha256', pem).update(text).digest(),
  ],
  ['a name from the prototype', { alg: 'toString', kid: 'one' }, byRsa],
  ['another algorithm than was used', { alg: 'PS256', kid: 'one' }, byRsa],
  ['an elliptic algorithm with an RSA key', { alg: 'ES256', kid: 'one' }, byRsa],
  ['a signature of nothing', { alg: 'RS256', kid: 'one' }, () => Buffer.alloc(256)],
])('a token is refused that is signed with %s', (_, header, signer) => {
  expect(() => read(tokenOf(goodClaims, header, signer))).toThrow(/the (signature of the )?ID token/)
})

test('a token that was changed after it was signed is refused', () => {
  const [head, , signature] = tokenOf(goodClaims).split('.')
  expect(() => read(`${head}.${encode({ ...goodClaims, sub: 'bob' })}.${signature}`)).toThrow('the signature')
})

test('a key that is not in the list is told apart, so that the list can be asked for again', () => {
  const token = tokenOf(goodClaims, { alg: 'RS256', kid: 'two' })
  expect(() => read(token)).toThrow(UnknownKey)
  expect(() => read(token, [{ ...publicRsa, kid: 'two', use: 'enc' }])).toThrow(UnknownKey)
})

test.each(['', '.', 'a.b.c', 'a.b.c.d', `${encode([])}.${encode({})}.`])('%j is no token', (text) => {
  expect(() => read(text)).toThrow(/the ID token/)
})
