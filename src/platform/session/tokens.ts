import type { ServerResponse } from 'node:http'
import { isTokenShaped, pageToken } from '../../accounts/secret-token.ts'
import { sessionLifeMs, type Visitor } from '../../accounts/sessions.ts'
import { readCookie, setCookie } from '../../http/cookies.ts'
import type { Exchange } from '../../http/exchange.ts'

/**
 * The two cookies of the site: the session, and the visit, which names a browser before anybody signed in and after they
 * left. Under TLS their names bind them to this host: no neighbour of the domain can set them.
 */
type CookieName = 'helix_session' | 'helix_visit'
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
  exchange.response.setHeader('x-csrf-token', pageToken(token))
}

export const clearSession = (exchange: Answered): void => writeToken(exchange, 'helix_session', '', 0)

export const visitorOf = (exchange: Exchange): Visitor => ({
  address: exchange.origin.clientAddress,
  userAgent: exchange.request.headers['user-agent'] ?? '',
  sessionToken: sessionToken(exchange),
  visitToken: visitToken(exchange),
})
