import type { DatabaseSync } from 'node:sqlite'
import type { OpenSession, SessionRecord } from '../../account-contract.ts'
import type { SignInProof } from '../../sign-in-proof.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { integer, integerOrNull, type Row, text } from '../row.ts'
import { isProven } from '../sign-in/is-proven.ts'
import { roleIn } from '../teams/memberships.ts'
import { accountColumns, accountRecord, joinedOrganisation, organisationColumns } from './accounts.ts'

const columns = `sessions.id AS session_id, sessions.account_id, sessions.organisation_id,
  sessions.created_at AS session_created_at, sessions.last_seen_at AS session_last_seen_at, expires_at, address, user_agent,
  has_second_factor, confirmed_at`

/** Of one account; the least recently used are removed for new ones. */
const mostSessions = 50

/** Also removes expired sessions. */
export const openSession = (
  db: DatabaseSync,
  record: SessionRecord,
  tokenHash: Uint8Array,
  proof: SignInProof,
  replacedHash: Uint8Array | null,
): boolean => {
  if (!isProven(db, record.accountId, proof, record.createdAt)) return false
  prepared(db, 'DELETE FROM sessions WHERE expires_at <= ? OR token_hash = ?').run(
    record.createdAt,
    replacedHash ?? new Uint8Array(),
  )
  prepared(
    db,
    `DELETE FROM sessions WHERE rowid IN (SELECT rowid FROM sessions WHERE account_id = ?
      ORDER BY last_seen_at DESC, rowid DESC LIMIT -1 OFFSET ?)`,
  ).run(record.accountId, mostSessions - 1)
  const insert = `INSERT INTO sessions
    (id, token_hash, account_id, organisation_id, created_at, last_seen_at, expires_at, address, user_agent,
      has_second_factor, confirmed_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  prepared(db, insert).run(
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
  prepared(db, 'UPDATE accounts SET last_seen_at = ? WHERE id = ?').run(record.lastSeenAt, record.accountId)
  return true
}

export const confirmSession = (db: DatabaseSync, id: string, now: number, hasSecondFactor: boolean): void => {
  prepared(db, 'UPDATE sessions SET confirmed_at = ?, has_second_factor = max(has_second_factor, ?) WHERE id = ?').run(
    now,
    hasSecondFactor ? 1 : 0,
    id,
  )
}

export const findSession = (db: DatabaseSync, tokenHash: Uint8Array): OpenSession | null => {
  const find = `SELECT ${columns}, ${accountColumns}, ${organisationColumns}, role,
      organisations.suspended_at AS organisation_suspended_at, second_factor_required
    FROM sessions
    JOIN accounts ON accounts.id = sessions.account_id
    JOIN organisations ON organisations.id = sessions.organisation_id
    JOIN memberships ON memberships.account_id = sessions.account_id
      AND memberships.organisation_id = sessions.organisation_id
    WHERE token_hash = ?`
  const row = prepared(db, find).get(tokenHash)
  if (row === undefined) return null
  return {
    session: sessionRecord(row),
    account: accountRecord(row),
    organisation: joinedOrganisation(row),
    role: roleIn(row),
    isOrganisationSuspended: integerOrNull(row, 'organisation_suspended_at') !== null,
    needsSecondFactor: integer(row, 'second_factor_required') === 1,
  }
}

export const touchSession = (
  db: DatabaseSync,
  id: string,
  { now, expiresAt, address }: { now: number; expiresAt: number; address: string },
): void => {
  prepared(db, 'UPDATE sessions SET last_seen_at = ?, expires_at = ?, address = ? WHERE id = ?').run(
    now,
    expiresAt,
    address,
    id,
  )
  prepared(db, 'UPDATE accounts SET last_seen_at = ? WHERE id = (SELECT account_id FROM sessions WHERE id = ?)').run(
    now,
    id,
  )
}

export const listSessions = (db: DatabaseSync, accountId: string, now: number): SessionRecord[] =>
  prepared(
    db,
    `SELECT ${columns} FROM sessions WHERE account_id = ? AND expires_at > ? ORDER BY last_seen_at DESC, rowid DESC`,
  )
    .all(accountId, now)
    .map(sessionRecord)

export const removeSession = (db: DatabaseSync, accountId: string, id: string): boolean =>
  prepared(db, 'DELETE FROM sessions WHERE account_id = ? AND id = ?').run(accountId, id).changes === 1

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
