import type { OrganisationRecord } from '../../organisation-record.ts'
import type { Acting, HandOverOutcome, RenameOutcome } from '../../team-contract.ts'
import { deleteText } from '../delete-text.ts'
import { first, type Query, run } from '../query.ts'
import { integer, text } from '../row.ts'
import { withdrawMemberInvitations } from './invitations.ts'
import { addMember, findRole, lacking, setRole } from './memberships.ts'

export function* createOrganisation(organisation: OrganisationRecord, ownerId: string, max: number): Query<boolean> {
  const count = "SELECT count(*) AS owned FROM memberships WHERE account_id = ? AND role = 'owner'"
  if (integer((yield* first(count, ownerId)) ?? {}, 'owned') >= max) return false
  yield* insertOrganisation(organisation, ownerId)
  return true
}

export function* insertOrganisation(organisation: OrganisationRecord, ownerId: string): Query<void> {
  const { id, name, createdAt } = organisation
  yield* run('INSERT INTO organisations (id, name, created_at) VALUES (?, ?, ?)', id, name, createdAt)
  yield* addMember({ accountId: ownerId, organisationId: id, role: 'owner', now: createdAt })
}

export function* switchOrganisation(sessionId: string, organisationId: string): Query<boolean> {
  const update = `UPDATE sessions SET organisation_id = $organisation WHERE id = $session AND EXISTS (
    SELECT 1 FROM memberships WHERE memberships.account_id = sessions.account_id AND organisation_id = $organisation
  )`
  return (yield* run(update, { session: sessionId, organisation: organisationId })) === 1
}

export function* renameOrganisation(by: Acting, name: string, was: string): Query<RenameOutcome> {
  const tooLow = yield* lacking(by, 'admin')
  if (tooLow !== null) return tooLow
  const row = yield* first('SELECT name FROM organisations WHERE id = ?', by.organisationId)
  if (row === undefined) return { outcome: 'not_found' }
  const now = text(row, 'name')
  if (now !== was) return { outcome: 'changed_meanwhile', now }
  yield* deleteText(run('UPDATE organisations SET name = ? WHERE id = ?', name, by.organisationId))
  return { outcome: 'renamed' }
}

export function* handOver(by: Acting, accountId: string, now: number): Query<HandOverOutcome> {
  const tooLow = yield* lacking(by, 'owner')
  if (tooLow !== null) return tooLow
  const isSelf = accountId === by.accountId
  if (isSelf || (yield* findRole(by.organisationId, accountId)) === null) return { outcome: 'not_found' }
  yield* setRole(by.organisationId, accountId, 'owner')
  yield* setRole(by.organisationId, by.accountId, 'admin')
  yield* withdrawMemberInvitations(by.organisationId, by.accountId, now)
  return { outcome: 'handed_over' }
}
