import type { ServerResponse } from 'node:http'
import { isTokenShaped, pageToken } from '../accounts/secrets/secret-token.ts'
import { sessionLifeMs, type Visitor } from '../accounts/sessions/sessions.ts'
import { readCookie, setCookie } from '../http/cookies.ts'
import type { Exchange } from '../http/exchange.ts'

/**
 * The cookies of the site: the session; the visit, which names a browser before anybody signed in and after they left; and
 * a hint that somebody is signed in, by which public pages choose their links. The hint opens nothing. Under TLS their names bind them to this host: no neighbour of the domain can set them.
 */
type CookieName = 'helix_session' | 'helix_visit' | 'helix_signed_in'
type Sent = Pick<Exchange, 'request' | 'origin'>
type Answered = { response: ServerResponse } & Pick<Exchange, 'origin'>

/** The longest that browsers keep one. */
const visitLifeMs = 400 * 24 * 3_600_000

const nameOf = (name: CookieName, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** What we never handed out counts as no cookie: a browser is remembered by it, and a head may hold 15 KB. */
const readToken = ({ request, origin }: Sent, name: CookieName): string | null => {
  const sent = readCookie(request.headers, nameOf(name, origin.secure)) ?? ''
  return isTokenShaped(sent) ? sent : null
}

const writeToken = ({ response, origin }: Answered, name: CookieName, token: string, lifeMs: number): void =>
  setCookie(response, nameOf(name, origin.secure), token, { secure: origin.secure, maxAgeSeconds: lifeMs / 1000 })

export const sessionToken = (exchange: Sent): string | null => readToken(exchange, 'helix_session')
export const visitToken = (exchange: Sent): string | null => readToken(exchange, 'helix_visit')

export const writeVisit = (exchange: Answered, token: string): void =>
  writeToken(exchange, 'helix_visit', token, visitLifeMs)

/** A page that is open already goes on with the new page token, which stands in a header of the same answer. */
export const writeSession = (exchange: Answered, token: string): void => {
  writeToken(exchange, 'helix_session', token, sessionLifeMs)
  writeHint(exchange, sessionLifeMs)
  exchange.response.setHeader('x-csrf-token', pageToken(token))
}

export const clearSession = (exchange: Answered): void => {
  writeToken(exchange, 'helix_session', '', 0)
  writeHint(exchange, 0)
}

/** Sets the hint right where it differs from what the session turned out to be: it ended elsewhere, or is older than hints. */
export const correctHint = (exchange: Sent & Answered, isSignedIn: boolean): void => {
  const isHinted = readCookie(exchange.request.headers, nameOf('helix_signed_in', exchange.origin.secure)) === '1'
  if (isHinted !== isSignedIn) writeHint(exchange, isSignedIn ? sessionLifeMs : 0)
}

const writeHint = ({ response, origin }: Answered, lifeMs: number): void =>
  setCookie(response, nameOf('helix_signed_in', origin.secure), lifeMs === 0 ? '' : '1', {
    secure: origin.secure,
    maxAgeSeconds: lifeMs / 1000,
    isReadable: true,
  })

export const visitorOf = (exchange: Exchange): Visitor => ({
  address: exchange.origin.clientAddress,
  userAgent: exchange.request.headers['user-agent'] ?? '',
  sessionToken: sessionToken(exchange),
  visitToken: visitToken(exchange),
})
