import type { Acting, InvitationRecord, InviteOutcome, ShownInvitation } from '../../team-contract.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'
import { lacking, roleIn } from './memberships.ts'

const columns = `invitations.id, organisation_id, role, invitations.email, invited_by, invitations.created_at, expires_at,
  accepted_at, withdrawn_at`
const open = 'accepted_at IS NULL AND withdrawn_at IS NULL AND expires_at >'

export function* insertInvitation(
  by: Acting,
  record: InvitationRecord,
  tokenHash: Uint8Array,
  max: number,
): Query<InviteOutcome> {
  const tooLow = yield* lacking(by, record.role === 'owner' ? 'owner' : 'admin')
  if (tooLow !== null) return tooLow
  const count = `SELECT count(*) AS open FROM invitations WHERE organisation_id = ? AND ${open} ?`
  if (integer((yield* first(count, record.organisationId, record.createdAt)) ?? {}, 'open') >= max)
    return { outcome: 'too_many' }
  yield* run(
    `INSERT INTO invitations (id, token_hash, organisation_id, role, email, invited_by, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
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

export function* listInvitations(
  organisationId: string,
  endedAfter: number,
): Query<(InvitationRecord & { inviterEmail: string | null })[]> {
  return (yield* all(
    `SELECT ${columns}, accounts.email AS inviter_email FROM invitations
     LEFT JOIN accounts ON accounts.id = invited_by
     WHERE organisation_id = $organisation AND expires_at > $after AND coalesce(accepted_at, withdrawn_at, expires_at) > $after
     ORDER BY invitations.created_at DESC, invitations.rowid DESC`,
    { organisation: organisationId, after: endedAfter },
  )).map((row) => ({ ...invitationRecord(row), inviterEmail: textOrNull(row, 'inviter_email') }))
}

export function* findInvitation(tokenHash: Uint8Array): Query<ShownInvitation | null> {
  const find = `SELECT ${columns}, accounts.email AS inviter_email, organisations.name AS organisation_name,
      organisations.suspended_at AS organisation_suspended_at
    FROM invitations JOIN organisations ON organisations.id = organisation_id
    LEFT JOIN accounts ON accounts.id = invited_by WHERE token_hash = ?`
  const row = yield* first(find, tokenHash)
  if (row === undefined) return null
  return {
    ...invitationRecord(row),
    organisationName: text(row, 'organisation_name'),
    isOrganisationSuspended: integerOrNull(row, 'organisation_suspended_at') !== null,
    inviterEmail: textOrNull(row, 'inviter_email'),
  }
}

export function* withdrawInvitation(organisationId: string, id: string, now: number): Query<boolean> {
  return (
    (yield* run(
      `UPDATE invitations SET withdrawn_at = ? WHERE organisation_id = ? AND id = ? AND ${open} ?`,
      now,
      organisationId,
      id,
      now,
    )) === 1
  )
}

export function* withdrawMemberInvitations(organisationId: string, accountId: string, now: number): Query<void> {
  yield* run(
    `UPDATE invitations SET withdrawn_at = ? WHERE organisation_id = ? AND invited_by = ? AND ${open} ?`,
    now,
    organisationId,
    accountId,
    now,
  )
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
