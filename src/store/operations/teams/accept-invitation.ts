import { invitationEnd } from '../../invitation-end.ts'
import type { AcceptOutcome, InvitationEnd, Role } from '../../team-contract.ts'
import { type Query, run } from '../query.ts'
import { findInvitation } from './invitations.ts'
import { addMember, findRole } from './memberships.ts'
import { switchOrganisation } from './organisation-changes.ts'

export function* acceptInvitation(
  tokenHash: Uint8Array,
  { accountId, sessionId, now }: { accountId: string; sessionId: string; now: number },
): Query<AcceptOutcome> {
  const found = yield* findInvitation(tokenHash)
  // Before it is consumed: somebody who is already a member can pass it on.
  if (found !== null && (yield* findRole(found.organisationId, accountId)) !== null)
    return { outcome: 'already_member', organisationId: found.organisationId }
  const taken = yield* consumeInvitation(tokenHash, now)
  if (taken.outcome !== 'taken') return taken
  const { organisationId, role } = taken
  yield* addMember({ accountId, organisationId, role, now })
  yield* switchOrganisation(sessionId, organisationId)
  return { outcome: 'accepted', organisationId, role }
}

type Taken = { outcome: 'taken'; organisationId: string; role: Role } | { outcome: InvitationEnd }

/** Consumes it. */
export function* consumeInvitation(tokenHash: Uint8Array, now: number): Query<Taken> {
  const found = yield* findInvitation(tokenHash)
  if (found === null) return { outcome: 'unknown' }
  const end = invitationEnd(found, now)
  if (end !== null) return { outcome: end }
  yield* run('UPDATE invitations SET accepted_at = ? WHERE id = ?', now, found.id)
  return { outcome: 'taken', organisationId: found.organisationId, role: found.role }
}
