import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { beforeEach, expect, test } from 'vitest'
import { createManualClock, type ManualClock } from '../../../test/harness/manual-clock.ts'
import { openProvider } from '../../../test/harness/openid-provider.ts'
import { createOpenidProvider } from './openid-provider.ts'
import type { Provider } from './provider.ts'

let clock: ManualClock
let server: Awaited<ReturnType<typeof openProvider>>
let provider: Provider
beforeEach(async () => {
  clock = createManualClock()
  server = await openProvider({ clock })
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = server.settings
  provider = createOpenidProvider({ id: 'oidc', name: 'Example ID', issuer, clientId, clientSecret, clock })
  return server.close
})

const redirectUri = 'http://localhost/callback/oidc'
const codeVerifier = 'a'.repeat(64)
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

/** What Helix and the browser do together, from the button to the identity. */
const signIn = async (nonce = 'n-1') => {
  const url = await provider.signInUrl({ redirectUri, state: 's-1', nonce, codeChallenge })
  const back = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '')
  return provider.identify({ redirectUri, code: back.searchParams.get('code') ?? '', nonce, codeVerifier })
}
const fetched = (path: string): number => server.asked.filter((each) => each === path).length
const json = (body: unknown) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

test('the discovery document and the keys of a provider are fetched once an hour', async () => {
  expect(await signIn()).toMatchObject({ subject: 'ann' })
  clock.advance(3_599_999)
  expect(await signIn()).toMatchObject({ subject: 'ann' })
  expect([fetched('/.well-known/openid-configuration'), fetched('/keys')]).toEqual([1, 1])
  clock.advance(1)
  await signIn()
  expect([fetched('/.well-known/openid-configuration'), fetched('/keys')]).toEqual([2, 2])
})

test('a rotated key is found at the next sign-in; an unknown key has the keys fetched at most every ten seconds', async () => {
  await signIn()
  clock.advance(9_999)
  server.changeKeys()
  for (let count = 0; count < 3; count += 1) await expect(signIn()).rejects.toThrow(/NO_MATCHING_KEY/)
  expect(fetched('/keys')).toBe(1)
  clock.advance(1)
  expect(await signIn()).toMatchObject({ subject: 'ann' })
  expect(await signIn()).toMatchObject({ subject: 'ann' })
  expect(fetched('/keys')).toBe(2)
})

test('concurrent sign-ins with a rotated key fetch the keys once', async () => {
  await signIn()
  clock.advance(10_000)
  server.changeKeys()
  const identities = await Promise.all(Array.from({ length: 5 }, (_, index) => signIn(`n-${index}`)))
  expect(identities).toHaveLength(5)
  expect(fetched('/keys')).toBe(2)
})

test('an unsigned token does not have the keys fetched', async () => {
  server.state.lies = { signature: 'none' }
  await expect(signIn()).rejects.toThrow(/ALG_NOT_ALLOWED/)
  expect(fetched('/keys')).toBe(0)
})

test('the expiry is checked against the injected clock, with a tolerance of one minute', async () => {
  const seconds = clock.now() / 1000
  server.state.lies = { claims: (claims) => ({ ...claims, exp: seconds - 59 }) }
  expect(await signIn()).toMatchObject({ subject: 'ann' })
  server.state.lies = { claims: (claims) => ({ ...claims, exp: seconds - 61 }) }
  await expect(signIn()).rejects.toThrow(/ERR_JWT_EXPIRED/)
})

test('a token of a megabyte is refused, and so is an endless response of the token endpoint', async () => {
  server.state.lies = { claims: (claims) => ({ ...claims, padding: 'x'.repeat(200_000) }) }
  await expect(signIn()).rejects.toThrow('the ID token is too long')
  server.state.lies = { claims: (claims) => ({ ...claims, padding: 'x'.repeat(1_000_000) }) }
  await expect(signIn()).rejects.toThrow('token endpoint: no answer')
})

test.each([
  ['longer than a megabyte', json({ keys: [], padding: 'x'.repeat(1_000_000) }), 'keys: no answer'],
  ['no key set', json({ keys: 'none' }), 'keys: no JSON Web Key Set'],
  ['null', json(null), 'keys: no JSON Web Key Set'],
  [
    'elsewhere',
    (response: ServerResponse) => void response.writeHead(302, { location: '/.well-known/openid-configuration' }).end(),
    'keys: no answer',
  ],
])('keys that are %s are refused, and fetched again at the next sign-in', async (_, keys, reason) => {
  server.state.lies = { answers: { keys } }
  await expect(signIn()).rejects.toThrow(reason)
  server.state.lies = {}
  expect(await signIn()).toMatchObject({ subject: 'ann' })
})

test.each([
  ['of another issuer', { issuer: 'https://evil.example.com' }, 'a different issuer'],
  ['of an issuer that begins alike', { issuer: 'http://127.0.0.1:1' }, 'a different issuer'],
  [
    'with a token endpoint without TLS',
    { token_endpoint: 'http://id.example.com/token' },
    'token_endpoint needs https',
  ],
  ['with keys without TLS', { jwks_uri: 'http://id.example.com/keys' }, 'jwks_uri needs https'],
  ['with keys in a file', { jwks_uri: 'file:///etc/passwd' }, 'jwks_uri needs https'],
  ['without keys', { jwks_uri: undefined }, 'has no jwks_uri'],
])('a discovery document is refused: %s', async (_, wrong, reason) => {
  const { issuer } = server
  const good = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  }
  server.state.lies = { answers: { discovery: json({ ...good, ...wrong }) } }
  await expect(signIn()).rejects.toThrow(reason)
})
