import type { JsonWebKey } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { callProvider } from './call-provider.ts'
import { isRecord } from './json-record.ts'
import { type Identity, type Provider, ProviderFault, type ProviderId } from './provider.ts'
import { type Claims, UnknownKey, verifyIdToken } from './verify-id-token.ts'

export type OpenidOptions = {
  id: ProviderId
  name: string
  /** Without a slash at its end. */
  issuer: string
  clientId: string
  clientSecret: string
  clock: Clock
}

/** The provider's own description of itself, as far as it is needed. */
type Discovery = {
  /** As it names itself: some end in a slash. */
  issuer: string
  authorization: string
  token: string
  keys: string
  userinfo: string | null
  takesBasic: boolean
}

/** Providers change their keys rarely; an unknown one is looked for at once, but not more often than this. */
const keptMs = 3_600_000
const leastMs = 10_000

/** Authorization code with PKCE, state and nonce (OpenID Connect Core §3.1). */
export const createOpenidProvider = (options: OpenidOptions): Provider => {
  const { issuer, clientId, clientSecret, clock } = options
  const discover = keep(() => readDiscovery(issuer), clock)
  const keys = keep(async () => readKeys((await discover(keptMs)).keys), clock)

  const verified = async (token: string, nonce: string): Promise<Claims> => {
    const expected = { issuer: (await discover(keptMs)).issuer, clientId, nonce, now: clock.now() }
    try {
      return verifyIdToken(token, await keys(keptMs), expected)
    } catch (error) {
      if (!(error instanceof UnknownKey)) throw error
      return verifyIdToken(token, await keys(leastMs), expected)
    }
  }
  return {
    id: options.id,
    name: options.name,
    issuer,
    async signInUrl({ redirectUri, state, nonce, codeChallenge }) {
      const url = new URL((await discover(keptMs)).authorization)
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
      const { token, userinfo, takesBasic } = await discover(keptMs)
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
        ...(takesBasic ? {} : { client_id: clientId, client_secret: clientSecret }),
      })
      const headers = takesBasic ? { authorization: basic(clientId, clientSecret) } : {}
      const answer = await callProvider(token, 'token endpoint', { method: 'POST', headers, body })
      const { id_token: idToken, access_token: accessToken } = isRecord(answer) ? answer : {}
      if (typeof idToken !== 'string') throw new ProviderFault('token endpoint: no ID token')
      const claims = await verified(idToken, nonce)
      if (claims.email !== undefined || userinfo === null || typeof accessToken !== 'string')
        return identityOf(issuer, claims)
      const more = await callProvider(userinfo, 'userinfo', { headers: { authorization: `Bearer ${accessToken}` } })
      // Core §5.3.2: what names another subject is no answer about this one.
      if (!isRecord(more) || more.sub !== claims.sub) throw new ProviderFault('userinfo: is about somebody else')
      return identityOf(issuer, { ...more, sub: claims.sub })
    },
  }
}

const identityOf = (issuer: string, { sub, email, email_verified: verified, name }: Claims): Identity => ({
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
  if (!isRecord(found) || named.replace(/\/+$/, '') !== issuer)
    throw new ProviderFault('discovery: is of another issuer')
  const endpoint = (name: string): string => {
    const url = typeof found[name] === 'string' ? URL.parse(found[name]) : null
    if (url === null || !/^https?:$/.test(url.protocol)) throw new ProviderFault(`discovery: has no ${name}`)
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

const readKeys = async (url: string): Promise<JsonWebKey[]> => {
  const found = await callProvider(url, 'keys')
  const keys = isRecord(found) && Array.isArray(found.keys) ? found.keys : null
  if (keys === null) throw new ProviderFault('keys: no list')
  return keys.filter(isRecord)
}

/** Asks again when what it has is older than the caller wants; of many callers at once one asks. A failure is not kept. */
const keep = <Value>(ask: () => Promise<Value>, clock: Clock): ((maxAgeMs: number) => Promise<Value>) => {
  let last: { value: Promise<Value>; atMs: number } | null = null
  return (maxAgeMs) => {
    if (last !== null && clock.monotonicMs() - last.atMs < maxAgeMs) return last.value
    const asked = { value: ask(), atMs: clock.monotonicMs() }
    last = asked
    asked.value.catch(() => {
      if (last === asked) last = null
    })
    return asked.value
  }
}
