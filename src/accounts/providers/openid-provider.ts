import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import { JWKSNoMatchingKey } from 'jose/errors'
import type { Clock } from '../../base/clock.ts'
import { isLoopback } from '../../base/is-loopback.ts'
import { isRecord } from '../../base/is-record.ts'
import { withoutTrailingSlashes } from '../../base/without-trailing-slashes.ts'
import { callProvider } from './call-provider.ts'
import { type Identity, type Provider, ProviderFault, type ProviderId } from './provider.ts'
import { type Claims, verifyIdToken } from './verify-id-token.ts'

export type OpenidOptions = {
  id: ProviderId
  name: string
  /** Without a slash at its end. */
  issuer: string
  clientId: string
  clientSecret: string
  clock: Clock
}

/** What is needed of the provider's discovery document. */
type Discovery = {
  /** As the provider writes it: some end in a slash. */
  issuer: string
  authorization: string
  token: string
  keys: string
  userinfo: string | null
  takesBasic: boolean
}

/** Providers rotate their keys rarely. */
const maxAgeMs = 3_600_000
/** An unknown key has them fetched again, but not more often than this. */
const minRefetchMs = 10_000

/** Authorization code with PKCE, state and nonce (OpenID Connect Core §3.1). */
export const createOpenidProvider = (options: OpenidOptions): Provider => {
  const { issuer, clientId, clientSecret, clock } = options
  const discover = cache(() => readDiscovery(issuer), clock)
  const keys = cache(async () => readKeys((await discover(maxAgeMs)).keys), clock)

  const findKey: JWTVerifyGetKey = async (header, token) => {
    const known = await keys(maxAgeMs)
    try {
      return await known(header, token)
    } catch (error) {
      if (!(error instanceof JWKSNoMatchingKey)) throw error
      return (await keys(minRefetchMs))(header, token)
    }
  }
  return {
    id: options.id,
    name: options.name,
    issuer,
    async signInUrl({ redirectUri, state, nonce, codeChallenge }) {
      const url = new URL((await discover(maxAgeMs)).authorization)
      const query = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url.href
    },
    async identify({ redirectUri, code, nonce, codeVerifier }) {
      const { issuer: named, token, userinfo, takesBasic } = await discover(maxAgeMs)
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
        ...(takesBasic ? {} : { client_id: clientId, client_secret: clientSecret }),
      })
      const headers = takesBasic ? { authorization: basic(clientId, clientSecret) } : {}
      const response = await callProvider(token, 'token endpoint', { method: 'POST', headers, body })
      const { id_token: idToken, access_token: accessToken } = isRecord(response) ? response : {}
      if (typeof idToken !== 'string') throw new ProviderFault('token endpoint: no ID token')
      const claims = await verifyIdToken(idToken, findKey, { issuer: named, clientId, nonce, now: clock.now() })
      if (claims.email !== undefined || userinfo === null || typeof accessToken !== 'string')
        return readIdentity(issuer, claims)
      const more = await callProvider(userinfo, 'userinfo', { headers: { authorization: `Bearer ${accessToken}` } })
      // Core §5.3.2: a response about another subject must not be used.
      if (!isRecord(more) || more.sub !== claims.sub) throw new ProviderFault('userinfo: describes a different subject')
      return readIdentity(issuer, { ...more, sub: claims.sub })
    },
  }
}

const readIdentity = (issuer: string, { sub, email, email_verified: verified, name }: Claims): Identity => ({
  issuer,
  subject: sub,
  email: typeof email === 'string' && email !== '' ? email : null,
  emailVerified: verified === true || verified === 'true',
  name: typeof name === 'string' && name.trim() !== '' ? name.trim() : null,
})

/** RFC 6749 §2.3.1: each is form-encoded first. */
const basic = (name: string, secret: string): string => {
  const encode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
  return `Basic ${Buffer.from(`${encode(name)}:${encode(secret)}`).toString('base64')}`
}

const readDiscovery = async (issuer: string): Promise<Discovery> => {
  const found = await callProvider(`${issuer}/.well-known/openid-configuration`, 'discovery')
  const named = isRecord(found) && typeof found.issuer === 'string' ? found.issuer : ''
  if (!isRecord(found) || withoutTrailingSlashes(named) !== issuer)
    throw new ProviderFault('discovery: has a different issuer')
  const endpoint = (name: string): string => {
    const url = typeof found[name] === 'string' ? URL.parse(found[name]) : null
    if (url === null) throw new ProviderFault(`discovery: has no ${name}`)
    // It receives the client secret. The issuer's own scheme is checked with the settings.
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
    if (!isSafe) throw new ProviderFault(`discovery: ${name} needs https`)
    return url.href
  }
  const methods = found.token_endpoint_auth_methods_supported
  return {
    issuer: named,
    authorization: endpoint('authorization_endpoint'),
    token: endpoint('token_endpoint'),
    keys: endpoint('jwks_uri'),
    userinfo: found.userinfo_endpoint === undefined ? null : endpoint('userinfo_endpoint'),
    takesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
  }
}

/** Instead of `createRemoteJWKSet`, which reads the system's clock and responses of any size. */
const readKeys = async (url: string): Promise<JWTVerifyGetKey> => {
  const found = await callProvider(url, 'keys')
  const { createLocalJWKSet } = await import('jose/jwks/local')
  try {
    return createLocalJWKSet(asKeySet(found))
  } catch {
    throw new ProviderFault('keys: no JSON Web Key Set')
  }
}

/** `createLocalJWKSet` validates it. */
const asKeySet = (found: unknown): JSONWebKeySet => found as JSONWebKeySet

/** Fetches again when the value is older than the caller accepts. Concurrent callers share one request; failures are not cached. */
const cache = <Value>(fetch: () => Promise<Value>, clock: Clock): ((maxAgeMs: number) => Promise<Value>) => {
  let last: { value: Promise<Value>; atMs: number } | null = null
  return (maxAgeMs) => {
    if (last !== null && clock.monotonicMs() - last.atMs < maxAgeMs) return last.value
    const fetched = { value: fetch(), atMs: clock.monotonicMs() }
    last = fetched
    fetched.value.catch(() => {
      if (last === fetched) last = null
    })
    return fetched.value
  }
}
