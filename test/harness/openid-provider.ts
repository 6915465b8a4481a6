import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { systemClock } from '../../src/base/clock.ts'

type Claims = Record<string, unknown>

/** The person who signs in, and the provider's claims about them. */
export type ProviderPerson = { sub: string; email?: string; email_verified?: boolean | string; name?: string }

type Part = 'discovery' | 'keys' | 'token'

/** Deliberate misbehaviour of the provider. */
export type ProviderLies = {
  /** Changes the claims of the ID token. */
  claims?: (claims: Claims) => Claims
  signature?: 'none' | 'other key' | 'shared secret'
  /** Sends people back with this error. */
  refuses?: string
  /** The endpoint that answers 500 without JSON. */
  broken?: Part
  /** Responds to requests for an endpoint in its place. */
  answers?: { [part in Part]?: (response: ServerResponse) => void }
  /** Gives the email only at the userinfo endpoint. */
  hidesEmail?: boolean
  /** The userinfo endpoint returns this subject. */
  otherSubject?: string
}

const providerClient = { id: 'helix', secret: 'a secret: with + signs' }

type Grant = { redirectUri: string; challenge: string; nonce: string; person: ProviderPerson }

/**
 * A small real OpenID provider: authorization code with PKCE, tokens signed by a real key, single-use codes. Every
 * visitor is signed in at once as `person`; with `asksFirst` they first click on a page.
 */
export const openProvider = async ({ asksFirst = false, clock = systemClock } = {}) => {
  const state: { person: ProviderPerson; lies: ProviderLies } = {
    person: { sub: 'ann', email: 'ann@example.com', email_verified: true, name: 'Ann' },
    lies: {},
  }
  const keys = makeKeys()
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, ProviderPerson>()
  const asked: string[] = []
  let issuer = ''

  const authorize = (url: URL, response: ServerResponse) => {
    const query = Object.fromEntries(url.searchParams)
    const { redirect_uri: redirectUri = '', state: sent = '', nonce = '', code_challenge: challenge = '' } = query
    if (
      query.client_id !== providerClient.id ||
      query.response_type !== 'code' ||
      query.code_challenge_method !== 'S256'
    )
      return send(response, 400, { error: 'invalid_request' })
    if (asksFirst && query.allowed === undefined) return showPage(response, url)
    const back = new URL(redirectUri)
    back.searchParams.set('state', sent)
    if (state.lies.refuses !== undefined) back.searchParams.set('error', state.lies.refuses)
    else {
      const code = randomBytes(16).toString('hex')
      grants.set(code, { redirectUri, challenge, nonce, person: state.person })
      back.searchParams.set('code', code)
    }
    response.writeHead(302, { location: back.href }).end()
  }

  const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = new URLSearchParams(await text(request))
    const grant = grants.get(body.get('code') ?? '')
    grants.delete(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (!isOurClient(request)) return send(response, 401, { error: 'invalid_client' })
    if (grant?.challenge !== challenge || grant.redirectUri !== body.get('redirect_uri'))
      return send(response, 400, { error: 'invalid_grant' })
    const accessToken = randomBytes(16).toString('hex')
    tokens.set(accessToken, grant.person)
    const now = Math.floor(clock.now() / 1000)
    const { email, email_verified, ...known } = grant.person
    const told = state.lies.hidesEmail ? known : grant.person
    const claims = { iss: issuer, aud: providerClient.id, iat: now, exp: now + 300, nonce: grant.nonce, ...told }
    const idToken = keys.token((state.lies.claims ?? ((same: Claims) => same))(claims), state.lies.signature)
    send(response, 200, { access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: idToken })
  }

  const showPerson = ({ headers }: IncomingMessage, response: ServerResponse) => {
    const person = tokens.get((headers.authorization ?? '').replace('Bearer ', ''))
    if (person === undefined) return send(response, 401, { error: 'invalid_token' })
    send(response, 200, { ...person, ...(state.lies.otherSubject ? { sub: state.lies.otherSubject } : {}) })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', issuer)
    asked.push(url.pathname)
    const part = parts[url.pathname]
    if (part !== undefined && part === state.lies.broken) return void response.writeHead(500).end('<h1>Oops</h1>')
    const instead = part === undefined ? undefined : state.lies.answers?.[part]
    if (instead !== undefined) return instead(response)
    if (part === 'discovery') return send(response, 200, describe(issuer))
    if (part === 'keys') return send(response, 200, { keys: keys.published() })
    if (part === 'token') return exchange(request, response)
    if (url.pathname === '/userinfo') return showPerson(request, response)
    if (url.pathname === '/authorize') return authorize(url, response)
    send(response, 404, { error: 'not_found' })
  }

  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    state,
    /** The requested paths. */
    asked,
    /** Replaces the keys with new ones under new names. */
    changeKeys: keys.change,
    settings: {
      oidcIssuer: issuer,
      oidcClientId: providerClient.id,
      oidcClientSecret: providerClient.secret,
      oidcName: 'Example ID',
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const parts: Record<string, Part> = {
  '/.well-known/openid-configuration': 'discovery',
  '/keys': 'keys',
  '/token': 'token',
}

const send = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const describe = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  userinfo_endpoint: `${issuer}/userinfo`,
})

const showPage = (response: ServerResponse, url: URL): void => {
  url.searchParams.set('allowed', '1')
  const page = `<!doctype html><html lang="en"><title>Example ID</title><h1>Example ID</h1><a href="${url.pathname}${url.search.replaceAll('&', '&amp;')}">Allow</a></html>`
  response.writeHead(200, { 'content-type': 'text/html' }).end(page)
}

/** RFC 6749 §2.3.1: name and secret are form-encoded before they are joined. */
const isOurClient = ({ headers }: IncomingMessage): boolean => {
  const [, encoded = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  const decode = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '))
  return decode(id) === providerClient.id && decode(secret) === providerClient.secret
}

const makePair = () => ({ ...generateKeyPairSync('rsa', { modulusLength: 2048 }), id: randomBytes(4).toString('hex') })

/** Generating such keys is slow: every provider starts with the same ones. */
let firstPairs: { current: ReturnType<typeof makePair>; other: ReturnType<typeof makePair> } | undefined

const makeKeys = () => {
  firstPairs ??= { current: makePair(), other: makePair() }
  let { current } = firstPairs
  const { other } = firstPairs
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    change: (): void => {
      current = makePair()
    },
    published: () => [{ ...current.publicKey.export({ format: 'jwk' }), kid: current.id, use: 'sig', alg: 'RS256' }],
    token(claims: Claims, lie: ProviderLies['signature']): string {
      const algorithm = lie === 'none' ? 'none' : lie === 'shared secret' ? 'HS256' : 'RS256'
      const signed = `${encode({ alg: algorithm, kid: current.id })}.${encode(claims)}`
      if (lie === 'none') return `${signed}.`
      const pem = current.publicKey.export({ type: 'spki', format: 'pem' })
      if (lie === 'shared secret') return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`
      const { privateKey } = lie === 'other key' ? other : current
      return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
    },
  }
}
