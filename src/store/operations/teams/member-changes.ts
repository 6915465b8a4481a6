import type { DatabaseSync } from 'node:sqlite'
import { newId } from '../../../base/ids.ts'
import type { AuditEvent } from '../../audit-contract.ts'
import { decideMemberChange, reaches } from '../../decide-member-change.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import type { Acting, RemovalOutcome, Role, RoleOutcome } from '../../team-contract.ts'
import { recordEvent } from '../audit/record-event.ts'
import { removeOrganisation } from '../organisations/remove-organisation.ts'
import { text } from '../row.ts'
import { withdrawInvitationsOf } from './invitations.ts'
import { countOwners, lacking, listMembers, roleOf, setRole } from './memberships.ts'
import { insertOrganisation } from './organisation-changes.ts'

export const changeRole = (
  db: DatabaseSync,
  by: Acting,
  { accountId, role, was }: { accountId: string; role: Role; was: Role },
  now: number,
): RoleOutcome => {
  const decided = decide(db, by, accountId, role)
  if (decided.outcome !== 'allowed') return decided
  if (decided.target !== was) return { outcome: 'changed_meanwhile', now: decided.target }
  setRole(db, by.organisationId, accountId, role)
  // A way back that somebody prepared for themselves goes with the right to make it.
  if (!reaches(role, was)) withdrawInvitationsOf(db, by.organisationId, accountId, now)
  return { outcome: 'changed' }
}

export const removeMember = (
  db: DatabaseSync,
  by: Acting,
  { accountId, revokeKeys }: { accountId: string; revokeKeys: boolean },
  event: AuditEvent,
): RemovalOutcome => {
  const decided = decide(db, by, accountId, null)
  if (decided.outcome !== 'allowed') return decided
  const { organisationId } = by
  const now = event.at
  prepared(db, 'DELETE FROM memberships WHERE organisation_id = ? AND account_id = ?').run(organisationId, accountId)
  withdrawInvitationsOf(db, organisationId, accountId, now)
  moveSessions(db, organisationId, accountId, now)
  recordEvent(db, event)
  const keyIds = revokeKeys ? revokeKeysOf(db, organisationId, accountId, now) : []
  for (const id of keyIds)
    recordEvent(db, { ...event, action: 'key.revoked', target: { kind: 'key', id, name: null }, details: {} })
  return { outcome: 'removed', keyIds }
}

export const deleteOrganisation = (db: DatabaseSync, by: Acting, now: number): RemovalOutcome => {
  const tooLow = lacking(db, by, 'owner')
  if (tooLow !== null) return tooLow
  const { organisationId } = by
  const members = listMembers(db, organisationId)
  prepared(db, 'DELETE FROM memberships WHERE organisation_id = ?').run(organisationId)
  for (const { accountId } of members) moveSessions(db, organisationId, accountId, now)
  return { outcome: 'removed', keyIds: removeOrganisation(db, organisationId) }
}

const decide = (db: DatabaseSync, by: Acting, accountId: string, next: Role | null) => {
  const { organisationId } = by
  const target = roleOf(db, organisationId, accountId)
  if (target === null) return { outcome: 'not_found' } as const
  const actor = roleOf(db, organisationId, by.accountId)
  const isSelf = accountId === by.accountId
  const decision = decideMemberChange({ actor, isSelf, target, next, owners: countOwners(db, organisationId) })
  return decision.outcome === 'allowed' ? { ...decision, target } : decision
}

/** Sessions continue in the organisation that the account joined first, or in a new one. */
const moveSessions = (db: DatabaseSync, organisationId: string, accountId: string, now: number): void => {
  const find = 'SELECT organisation_id FROM memberships WHERE account_id = ? ORDER BY rowid LIMIT 1'
  const row = prepared(db, find).get(accountId)
  const next = row === undefined ? makeOwn(db, accountId, now) : text(row, 'organisation_id')
  prepared(db, 'UPDATE sessions SET organisation_id = ? WHERE account_id = ? AND organisation_id = ?').run(
    next,
    accountId,
    organisationId,
  )
}

/** Named like those of new accounts, by the part of the email before the @. */
const makeOwn = (db: DatabaseSync, accountId: string, now: number): string => {
  const email = text(prepared(db, 'SELECT email FROM accounts WHERE id = ?').get(accountId) ?? {}, 'email')
  const id = newId('org')
  insertOrganisation(db, { id, name: email.slice(0, email.lastIndexOf('@')), createdAt: now }, accountId)
  return id
}

const revokeKeysOf = (db: DatabaseSync, organisationId: string, accountId: string, now: number): string[] =>
  prepared(
    db,
    `UPDATE api_keys SET revoked_at = ? WHERE organisation_id = ? AND created_by = ? AND revoked_at IS NULL
     RETURNING id`,
  )
    .all(now, organisationId, accountId)
    .map((row) => text(row, 'id'))
