import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../../sqlite/database/prepared.ts'
import { text } from '../row.ts'
import { consumeLink } from './links.ts'

export const changePassword = (
  db: DatabaseSync,
  sessionId: string,
  passwordHash: string,
  tokenHash: Uint8Array,
): boolean => {
  const rotate = 'UPDATE sessions SET token_hash = ? WHERE id = ? RETURNING account_id'
  const row = prepared(db, rotate).get(tokenHash, sessionId)
  if (row === undefined) return false
  const accountId = text(row, 'account_id')
  setPassword(db, accountId, passwordHash)
  prepared(db, 'DELETE FROM sessions WHERE account_id = ? AND id <> ?').run(accountId, sessionId)
  return true
}

export const resetPassword = (
  db: DatabaseSync,
  linkHash: Uint8Array,
  passwordHash: string,
  now: number,
): { accountId: string } | null => {
  const accountId = consumeLink(db, 'password_reset', linkHash, now)?.accountId ?? null
  if (accountId === null) return null
  setPassword(db, accountId, passwordHash)
  prepared(db, 'DELETE FROM sessions WHERE account_id = ?').run(accountId)
  return { accountId }
}

export const verifyEmail = (db: DatabaseSync, linkHash: Uint8Array, now: number): boolean => {
  const accountId = consumeLink(db, 'email_verification', linkHash, now)?.accountId ?? null
  if (accountId === null) return false
  prepared(db, 'UPDATE accounts SET email_verified_at = coalesce(email_verified_at, ?) WHERE id = ?').run(
    now,
    accountId,
  )
  return true
}

/** Links to reset the password or change the address, requested before, become invalid with the old password. */
const setPassword = (db: DatabaseSync, accountId: string, passwordHash: string): void => {
  prepared(db, "DELETE FROM credentials WHERE account_id = ? AND kind = 'password'").run(accountId)
  prepared(db, "INSERT INTO credentials (account_id, kind, secret) VALUES (?, 'password', ?)").run(
    accountId,
    passwordHash,
  )
  prepared(db, "DELETE FROM links WHERE account_id = ? AND kind IN ('password_reset', 'email_change')").run(accountId)
}
