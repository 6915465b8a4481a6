import type { DatabaseSync } from 'node:sqlite'
import type { OrganisationRecord } from '../../organisation-record.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import type { Acting, HandOverOutcome, RenameOutcome } from '../../team-contract.ts'
import { integer, text } from '../row.ts'
import { withdrawInvitationsOf } from './invitations.ts'
import { addMember, lacking, roleOf, setRole } from './memberships.ts'

export const createOrganisation = (
  db: DatabaseSync,
  organisation: OrganisationRecord,
  ownerId: string,
  most: number,
): boolean => {
  const count = "SELECT count(*) AS owned FROM memberships WHERE account_id = ? AND role = 'owner'"
  if (integer(prepared(db, count).get(ownerId) ?? {}, 'owned') >= most) return false
  insertOrganisation(db, organisation, ownerId)
  return true
}

export const insertOrganisation = (db: DatabaseSync, organisation: OrganisationRecord, ownerId: string): void => {
  const { id, name, createdAt } = organisation
  prepared(db, 'INSERT INTO organisations (id, name, created_at) VALUES (?, ?, ?)').run(id, name, createdAt)
  addMember(db, { accountId: ownerId, organisationId: id, role: 'owner', now: createdAt })
}

export const switchOrganisation = (db: DatabaseSync, sessionId: string, organisationId: string): boolean => {
  const update = `UPDATE sessions SET organisation_id = $organisation WHERE id = $session AND EXISTS (
    SELECT 1 FROM memberships WHERE memberships.account_id = sessions.account_id AND organisation_id = $organisation
  )`
  return prepared(db, update).run({ session: sessionId, organisation: organisationId }).changes === 1
}

export const renameOrganisation = (db: DatabaseSync, by: Acting, name: string, was: string): RenameOutcome => {
  const tooLow = lacking(db, by, 'admin')
  if (tooLow !== null) return tooLow
  const row = prepared(db, 'SELECT name FROM organisations WHERE id = ?').get(by.organisationId)
  if (row === undefined) return { outcome: 'not_found' }
  const now = text(row, 'name')
  if (now !== was) return { outcome: 'changed_meanwhile', now }
  prepared(db, 'UPDATE organisations SET name = ? WHERE id = ?').run(name, by.organisationId)
  return { outcome: 'renamed' }
}

export const handOver = (db: DatabaseSync, by: Acting, accountId: string, now: number): HandOverOutcome => {
  const tooLow = lacking(db, by, 'owner')
  if (tooLow !== null) return tooLow
  const isSelf = accountId === by.accountId
  if (isSelf || roleOf(db, by.organisationId, accountId) === null) return { outcome: 'not_found' }
  setRole(db, by.organisationId, accountId, 'owner')
  setRole(db, by.organisationId, by.accountId, 'admin')
  withdrawInvitationsOf(db, by.organisationId, by.accountId, now)
  return { outcome: 'handed_over' }
}
