import { hasOutcome, isTrue } from '../audit/audit-conditions.ts'
import { listEvents, listEventsSince } from '../audit/list-events.ts'
import { pruneEvents } from '../audit/prune-events.ts'
import { audited, recordEvent } from '../audit/record-event.ts'
import { read, write, writeOnce } from '../operation.ts'
import { listAllOrganisations, setSuspended } from '../organisations/suspensions.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { findInvitation, insertInvitation, listInvitations, withdrawInvitation } from './invitations.ts'
import { changeRole, deleteOrganisation, removeMember } from './member-changes.ts'
import { listMembers, listOwnOrganisations } from './memberships.ts'
import { createOrganisation, handOver, renameOrganisation, switchOrganisation } from './organisation-changes.ts'

/** What the store thread can be asked about organisations, and about what was done. */
export const teamOperations = {
  listOwnOrganisations: read(listOwnOrganisations),
  listMembers: read(listMembers),
  createOrganisation: audited(createOrganisation, isTrue),
  switchOrganisation: writeOnce(switchOrganisation),
  renameOrganisation: audited(renameOrganisation, hasOutcome('renamed')),
  changeRole: audited(changeRole, hasOutcome('changed')),
  handOver: audited(handOver, hasOutcome('handed_over')),
  removeMember: write(removeMember),
  deleteOrganisation: audited(deleteOrganisation, hasOutcome('removed')),
  insertInvitation: audited(insertInvitation, hasOutcome('invited')),
  listInvitations: read(listInvitations),
  findInvitation: read(findInvitation),
  withdrawInvitation: audited(withdrawInvitation, isTrue),
  acceptInvitation: audited(acceptInvitation, hasOutcome('accepted')),
  setSuspended: audited(setSuspended, (result) => result.outcome === 'done' && result.changed),
  listAllOrganisations: read(listAllOrganisations),
  recordEvent: write(recordEvent),
  listEvents: read(listEvents),
  listEventsSince: read(listEventsSince),
  pruneEvents: write(pruneEvents),
}
