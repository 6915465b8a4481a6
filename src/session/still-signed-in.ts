import type { Sessions } from '../accounts/sessions/sessions.ts'
import { ApiError } from '../base/api-error.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Member } from '../operations/callers.ts'
import type { Role } from '../store/team-contract.ts'
import { sessionToken } from './session-cookies.ts'
import { requireRole } from './session-guard.ts'

/** For long responses: whether the caller would still be allowed to make the request for the same organisation. */
export const stillSignedIn = async (
  sessions: Pick<Sessions, 'find'>,
  exchange: Exchange,
  { organisationId, accountId }: Member,
  needed: Role,
): Promise<boolean> => {
  const token = sessionToken(exchange)
  const open = token === null ? null : await sessions.find(token, exchange.origin.clientAddress)
  if (open === null || open.session.organisationId !== organisationId || open.account.id !== accountId) return false
  if (open.account.suspendedAt !== null) return false
  try {
    requireRole(exchange, open, needed)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
