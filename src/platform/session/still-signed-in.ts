import type { Sessions } from '../../accounts/sessions.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Member } from '../../http/route.ts'
import { sessionToken } from './tokens.ts'

/** For answers that last: whether the session is still there, for the same organisation, and nobody is suspended. */
export const stillSignedIn = async (
  sessions: Pick<Sessions, 'find'>,
  exchange: Exchange,
  { organisationId, accountId }: Member,
): Promise<boolean> => {
  const token = sessionToken(exchange)
  const open = token === null ? null : await sessions.find(token, exchange.origin.clientAddress)
  if (open === null) return false
  const isSame = open.session.organisationId === organisationId && open.account.id === accountId
  return isSame && open.account.suspendedAt === null && !open.isOrganisationSuspended
}
