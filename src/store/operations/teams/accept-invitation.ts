import type { DatabaseSync } from 'node:sqlite'
import { invitationEnd } from '../../invitation-end.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import type { AcceptOutcome, InvitationEnd, Role } from '../../team-contract.ts'
import { findInvitation } from './invitations.ts'
import { addMember, roleOf } from './memberships.ts'
import { switchOrganisation } from './organisation-changes.ts'

export const acceptInvitation = (
  db: DatabaseSync,
  tokenHash: Uint8Array,
  { accountId, sessionId, now }: { accountId: string; sessionId: string; now: number },
): AcceptOutcome => {
  const found = findInvitation(db, tokenHash)
  // Before it is used up: who belongs there already may hand it on.
  if (found !== null && roleOf(db, found.organisationId, accountId) !== null)
    return { outcome: 'already_member', organisationId: found.organisationId }
  const taken = consumeInvitation(db, tokenHash, now)
  if (taken.outcome !== 'taken') return taken
  const { organisationId, role } = taken
  addMember(db, { accountId, organisationId, role, now })
  switchOrganisation(db, sessionId, organisationId)
  return { outcome: 'accepted', organisationId, role }
}

type Taken = { outcome: 'taken'; organisationId: string; role: Role } | { outcome: InvitationEnd }

/** Uses it up. */
export const consumeInvitation = (db: DatabaseSync, tokenHash: Uint8Array, now: number): Taken => {
  const found = findInvitation(db, tokenHash)
  if (found === null) return { outcome: 'unknown' }
  const end = invitationEnd(found, now)
  if (end !== null) return { outcome: end }
  prepared(db, 'UPDATE invitations SET accepted_at = ? WHERE id = ?').run(now, found.id)
  return { outcome: 'taken', organisationId: found.organisationId, role: found.role }
}
