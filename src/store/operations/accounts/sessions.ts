import type { OpenSession, SessionRecord } from '../../account-contract.ts'
import type { SignInProof } from '../../sign-in-proof.ts'
import { deleteText } from '../delete-text.ts'
import { all, first, type Query, run } from '../query.ts'

import { integer, integerOrNull, type Row, text } from '../row.ts'
import { isProven } from '../sign-in/is-proven.ts'
import { roleIn } from '../teams/memberships.ts'
import { ownerSql } from '../teams/owner-sql.ts'
import { accountColumns, accountRecord, joinedOrganisation, organisationColumns } from './accounts.ts'

const columns = `sessions.id AS session_id, sessions.account_id, sessions.organisation_id,
  sessions.created_at AS session_created_at, sessions.last_seen_at AS session_last_seen_at, expires_at, address, user_agent,
  has_second_factor, confirmed_at`

/** The maximum for an account; the least recently used are removed for new ones. */
const maxSessions = 50

/** Also removes expired sessions. */
export function* openSession(
  record: SessionRecord,
  tokenHash: Uint8Array,
  proof: SignInProof,
  replacedHash: Uint8Array | null,
): Query<boolean> {
  if (!(yield* isProven(record.accountId, proof, record.createdAt))) return false
  const removeExpired = 'DELETE FROM sessions WHERE expires_at <= ? OR token_hash = ?'
  yield* deleteText(run(removeExpired, record.createdAt, replacedHash ?? new Uint8Array()))
  const removeMost = `DELETE FROM sessions WHERE account_id = $account AND rowid NOT IN (
      SELECT rowid FROM sessions WHERE account_id = $account ORDER BY last_seen_at DESC, rowid DESC LIMIT $kept)`
  yield* deleteText(run(removeMost, { account: record.accountId, kept: maxSessions - 1 }))
  const insert = `INSERT INTO sessions
    (id, token_hash, account_id, organisation_id, created_at, last_seen_at, expires_at, address, user_agent,
      has_second_factor, confirmed_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  yield* run(
    insert,
    record.id,
    tokenHash,
    record.accountId,
    record.organisationId,
    record.createdAt,
    record.lastSeenAt,
    record.expiresAt,
    record.address,
    record.userAgent,
    record.hasSecondFactor ? 1 : 0,
    record.confirmedAt,
  )
  yield* run('UPDATE accounts SET last_seen_at = ? WHERE id = ?', record.lastSeenAt, record.accountId)
  return true
}

export function* confirmSession(id: string, now: number, hasSecondFactor: boolean): Query<void> {
  yield* run(
    `UPDATE sessions SET confirmed_at = $now,
      has_second_factor = CASE WHEN $hasSecondFactor = 1 THEN 1 ELSE has_second_factor END WHERE id = $id`,
    { id, now, hasSecondFactor: hasSecondFactor ? 1 : 0 },
  )
}

export function* findSession(tokenHash: Uint8Array): Query<OpenSession | null> {
  const find = `SELECT ${columns}, ${accountColumns}, ${organisationColumns}, role,
      organisations.suspended_at AS organisation_suspended_at, second_factor_required,
      ${ownerSql('sessions.organisation_id')} AS owner_id
    FROM sessions
    JOIN accounts ON accounts.id = sessions.account_id
    JOIN organisations ON organisations.id = sessions.organisation_id
    JOIN memberships ON memberships.account_id = sessions.account_id
      AND memberships.organisation_id = sessions.organisation_id
    WHERE token_hash = ?`
  const row = yield* first(find, tokenHash)
  if (row === undefined) return null
  return {
    session: sessionRecord(row),
    account: accountRecord(row),
    organisation: joinedOrganisation(row),
    role: roleIn(row),
    isOrganisationSuspended: integerOrNull(row, 'organisation_suspended_at') !== null,
    needsSecondFactor: integer(row, 'second_factor_required') === 1,
    ownerId: text(row, 'owner_id'),
  }
}

export function* touchSession(
  id: string,
  { now, expiresAt, address }: { now: number; expiresAt: number; address: string },
): Query<void> {
  yield* run('UPDATE sessions SET last_seen_at = ?, expires_at = ? WHERE id = ?', now, expiresAt, id)
  const move = 'UPDATE sessions SET address = $address WHERE id = $id AND address <> $address'
  yield* deleteText(run(move, { id, address }))
  yield* run('UPDATE accounts SET last_seen_at = ? WHERE id = (SELECT account_id FROM sessions WHERE id = ?)', now, id)
}

export function* listSessions(accountId: string, now: number): Query<SessionRecord[]> {
  return (yield* all(
    `SELECT ${columns} FROM sessions WHERE account_id = ? AND expires_at > ? ORDER BY last_seen_at DESC, rowid DESC`,
    accountId,
    now,
  )).map(sessionRecord)
}

export function* removeSession(accountId: string, id: string): Query<boolean> {
  return (yield* deleteText(run('DELETE FROM sessions WHERE account_id = ? AND id = ?', accountId, id))) === 1
}

const sessionRecord = (row: Row): SessionRecord => ({
  id: text(row, 'session_id'),
  accountId: text(row, 'account_id'),
  organisationId: text(row, 'organisation_id'),
  createdAt: integer(row, 'session_created_at'),
  lastSeenAt: integer(row, 'session_last_seen_at'),
  expiresAt: integer(row, 'expires_at'),
  address: text(row, 'address'),
  userAgent: text(row, 'user_agent'),
  hasSecondFactor: integer(row, 'has_second_factor') === 1,
  confirmedAt: integer(row, 'confirmed_at'),
})
