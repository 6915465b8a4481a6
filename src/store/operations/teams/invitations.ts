import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../../sqlite/database/prepared.ts'
import type { Acting, InvitationRecord, InviteOutcome, ShownInvitation } from '../../team-contract.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'
import { lacking, roleIn } from './memberships.ts'

const columns = `invitations.id, organisation_id, role, invitations.email, invited_by, invitations.created_at, expires_at,
  accepted_at, withdrawn_at`
const open = 'accepted_at IS NULL AND withdrawn_at IS NULL AND expires_at >'

/** How long an ended invitation is kept, so that its link can say how it ended. */
const keptMs = 90 * 24 * 3_600_000

export const insertInvitation = (
  db: DatabaseSync,
  by: Acting,
  record: InvitationRecord,
  tokenHash: Uint8Array,
  most: number,
): InviteOutcome => {
  const tooLow = lacking(db, by, record.role === 'owner' ? 'owner' : 'admin')
  if (tooLow !== null) return tooLow
  prepared(db, 'DELETE FROM invitations WHERE expires_at <= ?').run(record.createdAt - keptMs)
  const count = `SELECT count(*) AS open FROM invitations WHERE organisation_id = ? AND ${open} ?`
  if (integer(prepared(db, count).get(record.organisationId, record.createdAt) ?? {}, 'open') >= most)
    return { outcome: 'too_many' }
  prepared(
    db,
    `INSERT INTO invitations (id, token_hash, organisation_id, role, email, invited_by, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    record.id,
    tokenHash,
    record.organisationId,
    record.role,
    record.email,
    record.invitedBy,
    record.createdAt,
    record.expiresAt,
  )
  return { outcome: 'invited' }
}

export const listInvitations = (
  db: DatabaseSync,
  organisationId: string,
  endedAfter: number,
): (InvitationRecord & { inviterEmail: string | null })[] =>
  prepared(
    db,
    `SELECT ${columns}, accounts.email AS inviter_email FROM invitations
     LEFT JOIN accounts ON accounts.id = invited_by
     WHERE organisation_id = ? AND min(coalesce(accepted_at, withdrawn_at, expires_at), expires_at) > ?
     ORDER BY invitations.created_at DESC, invitations.rowid DESC`,
  )
    .all(organisationId, endedAfter)
    .map((row) => ({ ...invitationRecord(row), inviterEmail: textOrNull(row, 'inviter_email') }))

export const findInvitation = (db: DatabaseSync, tokenHash: Uint8Array): ShownInvitation | null => {
  const find = `SELECT ${columns}, accounts.email AS inviter_email, organisations.name AS organisation_name,
      organisations.suspended_at AS organisation_suspended_at
    FROM invitations JOIN organisations ON organisations.id = organisation_id
    LEFT JOIN accounts ON accounts.id = invited_by WHERE token_hash = ?`
  const row = prepared(db, find).get(tokenHash)
  if (row === undefined) return null
  return {
    ...invitationRecord(row),
    organisationName: text(row, 'organisation_name'),
    isOrganisationSuspended: integerOrNull(row, 'organisation_suspended_at') !== null,
    inviterEmail: textOrNull(row, 'inviter_email'),
  }
}

export const withdrawInvitation = (db: DatabaseSync, organisationId: string, id: string, now: number): boolean =>
  prepared(db, `UPDATE invitations SET withdrawn_at = ? WHERE organisation_id = ? AND id = ? AND ${open} ?`).run(
    now,
    organisationId,
    id,
    now,
  ).changes === 1

export const withdrawInvitationsOf = (
  db: DatabaseSync,
  organisationId: string,
  accountId: string,
  now: number,
): void => {
  prepared(
    db,
    `UPDATE invitations SET withdrawn_at = ? WHERE organisation_id = ? AND invited_by = ? AND ${open} ?`,
  ).run(now, organisationId, accountId, now)
}

const invitationRecord = (row: Row): InvitationRecord => ({
  id: text(row, 'id'),
  organisationId: text(row, 'organisation_id'),
  role: roleIn(row),
  email: textOrNull(row, 'email'),
  invitedBy: textOrNull(row, 'invited_by'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integer(row, 'expires_at'),
  acceptedAt: integerOrNull(row, 'accepted_at'),
  withdrawnAt: integerOrNull(row, 'withdrawn_at'),
})
