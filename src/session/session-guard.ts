import { isPageToken } from '../accounts/secrets/secret-token.ts'
import type { Sessions } from '../accounts/sessions/sessions.ts'
import { ApiError } from '../base/api-error.ts'
import type { Exchange } from '../http/exchange.ts'
import type { PageGuard } from '../operations/guard-routes.ts'
import type { OpenSession } from '../store/account-contract.ts'
import { reaches } from '../store/decide-member-change.ts'
import type { Role } from '../store/team-contract.ts'
import { correctHint, sessionToken, visitToken, writeSession } from './session-cookies.ts'

/**
 * Access to the site's own routes. A session comes only from its cookie: an API key in the Authorization header is
 * ignored here. A request that changes data must come from one of our pages, as two checks confirm: the browser's own
 * headers, and a token that only our pages can read.
 */
export const createGuard = (sessions: Sessions): PageGuard => ({
  visitor(exchange) {
    forbidCaching(exchange)
    requireOwnPage(exchange, [sessionToken(exchange), visitToken(exchange)])
  },
  async member(exchange, needed) {
    forbidCaching(exchange)
    const token = sessionToken(exchange)
    const changes = exchange.request.method !== 'GET' && exchange.request.method !== 'HEAD'
    if (changes) requireSameOrigin(exchange)
    const open = token === null ? null : await sessions.find(token, exchange.origin.clientAddress)
    if (open === null || token === null) {
      correctHint(exchange, false)
      throw ApiError.of('not_signed_in', {})
    }
    if (changes) requireOwnPage(exchange, [token])
    if (open.renewed) writeSession(exchange, token)
    const { session, account, role, ownerId } = open
    if (account.suspendedAt !== null) throw ApiError.of('account_suspended', {})
    if (needed !== null) requireRole(exchange, open, needed)
    const { id: sessionId, accountId, organisationId, hasSecondFactor, confirmedAt } = session
    const person = { accountId, sessionId, isOwner: account.isOwner, hasSecondFactor, confirmedAt }
    return { ...person, organisationId, ownerId, role }
  },
})

/** A page names the organisation it shows, because the user may have switched to another in a different tab. */
export const requireRole = ({ request }: Exchange, open: OpenSession, needed: Role): void => {
  const shown = request.headers['x-organisation']
  if (shown !== undefined && shown !== open.organisation.id) throw ApiError.of('organisation_switched', {})
  if (open.isOrganisationSuspended) throw ApiError.of('organisation_suspended', {})
  if (open.needsSecondFactor && !open.session.hasSecondFactor) throw ApiError.of('second_factor_needed', {})
  if (!reaches(open.role, needed)) throw ApiError.of('role_too_low', { role: needed })
}

export const forbidCaching = ({ response }: Exchange): void => {
  response.setHeader('cache-control', 'no-store')
}

const requireOwnPage = (exchange: Exchange, cookieTokens: readonly (string | null)[]): void => {
  requireSameOrigin(exchange)
  const sent = exchange.request.headers['x-csrf-token']
  const fits = typeof sent === 'string' && cookieTokens.some((token) => token !== null && isPageToken(sent, token))
  if (!fits) throw ApiError.of('cross_site', {})
}

/**
 * The browser itself sets `Sec-Fetch-Site`, and it passes through any proxy, so it decides if present. Browsers omit it
 * over plain HTTP, except for localhost: the Origin must then match.
 */
const requireSameOrigin = ({ request, origin }: Exchange): void => {
  const site = request.headers['sec-fetch-site']
  const isOurs = site === undefined ? request.headers.origin === origin.origin : site === 'same-origin'
  if (!isOurs) throw ApiError.of('cross_site', {})
}
