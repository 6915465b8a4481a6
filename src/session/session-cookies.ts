import type { ServerResponse } from 'node:http'
import { isTokenShaped, pageToken } from '../accounts/secrets/secret-token.ts'
import { sessionLifeMs, type Visitor } from '../accounts/sessions/sessions.ts'
import { readCookie, setCookie } from '../http/cookies.ts'
import type { Exchange } from '../http/exchange.ts'

/**
 * The session; the visit, which identifies a browser before sign-in and after sign-out; and a sign-in hint, which only
 * selects links on public pages. Under TLS, the `__Host-` prefix prevents other subdomains from setting these cookies.
 */
type CookieName = 'helix_session' | 'helix_visit' | 'helix_signed_in'
type Sent = Pick<Exchange, 'request' | 'origin'>
type Answered = { response: ServerResponse } & Pick<Exchange, 'origin'>

/** The longest cookie lifetime that browsers allow. */
const visitLifeMs = 400 * 24 * 3_600_000

const cookieName = (name: CookieName, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** Ignores values that the server cannot have issued: it remembers browsers by token, and a header may hold 15 KB. */
const readToken = ({ request, origin }: Sent, name: CookieName): string | null => {
  const sent = readCookie(request.headers, cookieName(name, origin.secure)) ?? ''
  return isTokenShaped(sent) ? sent : null
}

const writeToken = ({ response, origin }: Answered, name: CookieName, token: string, lifeMs: number): void =>
  setCookie(response, cookieName(name, origin.secure), token, { secure: origin.secure, maxAgeSeconds: lifeMs / 1000 })

export const sessionToken = (exchange: Sent): string | null => readToken(exchange, 'helix_session')
export const visitToken = (exchange: Sent): string | null => readToken(exchange, 'helix_visit')

export const writeVisit = (exchange: Answered, token: string): void =>
  writeToken(exchange, 'helix_visit', token, visitLifeMs)

/** An open page continues with the new page token from the `x-csrf-token` header of this response. */
export const writeSession = (exchange: Answered, token: string): void => {
  writeToken(exchange, 'helix_session', token, sessionLifeMs)
  writeHint(exchange, sessionLifeMs)
  exchange.response.setHeader('x-csrf-token', pageToken(token))
}

/** Whoever uses the browser next finds nothing there; the scripts and styles go too, which are for everybody. */
export const clearSession = (exchange: Answered): void => {
  writeToken(exchange, 'helix_session', '', 0)
  writeHint(exchange, 0)
  exchange.response.setHeader('clear-site-data', '"cache"')
}

/** Corrects a hint that does not match the session, which may have ended elsewhere or predate hints. */
export const correctHint = (exchange: Sent & Answered, isSignedIn: boolean): void => {
  const isHinted = readCookie(exchange.request.headers, cookieName('helix_signed_in', exchange.origin.secure)) === '1'
  if (isHinted !== isSignedIn) writeHint(exchange, isSignedIn ? sessionLifeMs : 0)
}

const writeHint = ({ response, origin }: Answered, lifeMs: number): void =>
  setCookie(response, cookieName('helix_signed_in', origin.secure), lifeMs === 0 ? '' : '1', {
    secure: origin.secure,
    maxAgeSeconds: lifeMs / 1000,
    isReadable: true,
  })

export const readVisitor = (exchange: Exchange): Visitor => ({
  address: exchange.origin.clientAddress,
  userAgent: exchange.request.headers['user-agent'] ?? '',
  sessionToken: sessionToken(exchange),
  visitToken: visitToken(exchange),
})
