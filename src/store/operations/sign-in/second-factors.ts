import type { DatabaseSync } from 'node:sqlite'
import type { SessionRecord } from '../../account-contract.ts'
import type { TotpRecord } from '../../sign-in-contract.ts'
import type { CodeProof } from '../../sign-in-proof.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { integer, integerOrNull, text } from '../row.ts'
import { weakenSessions } from './weaken-sessions.ts'

export const findTotp = (db: DatabaseSync, accountId: string): TotpRecord | null => {
  const find = 'SELECT sealed_secret, last_step, confirmed_at FROM totp_factors WHERE account_id = ?'
  const row = prepared(db, find).get(accountId)
  if (row === undefined) return null
  return {
    sealedSecret: text(row, 'sealed_secret'),
    lastStep: integer(row, 'last_step'),
    confirmedAt: integerOrNull(row, 'confirmed_at'),
  }
}

export const beginTotp = (db: DatabaseSync, accountId: string, sealedSecret: string, now: number): boolean => {
  prepared(db, 'DELETE FROM totp_factors WHERE account_id = ? AND confirmed_at IS NULL').run(accountId)
  const insert = `INSERT INTO totp_factors (account_id, sealed_secret, last_step, created_at) VALUES (?, ?, 0, ?)
    ON CONFLICT DO NOTHING`
  return prepared(db, insert).run(accountId, sealedSecret, now).changes === 1
}

export const confirmTotp = (
  db: DatabaseSync,
  { id: sessionId, accountId }: Pick<SessionRecord, 'id' | 'accountId'>,
  confirmed: { sealedSecret: string; step: number; codeHashes: readonly Uint8Array[]; now: number },
): boolean => {
  const { sealedSecret, step, codeHashes, now } = confirmed
  const confirm = `UPDATE totp_factors SET confirmed_at = ?, last_step = ?
    WHERE account_id = ? AND sealed_secret = ? AND confirmed_at IS NULL`
  if (prepared(db, confirm).run(now, step, accountId, sealedSecret).changes === 0) return false
  insertCodes(db, accountId, codeHashes)
  prepared(db, 'UPDATE sessions SET has_second_factor = 1 WHERE id = ?').run(sessionId)
  return true
}

export const replaceRecoveryCodes = (
  db: DatabaseSync,
  accountId: string,
  codeHashes: readonly Uint8Array[],
): boolean => {
  if (!hasTotp(db, accountId)) return false
  insertCodes(db, accountId, codeHashes)
  return true
}

export const countRecoveryCodes = (db: DatabaseSync, accountId: string): number => {
  const row = prepared(db, 'SELECT count(*) AS count FROM recovery_codes WHERE account_id = ?').get(accountId)
  return row === undefined ? 0 : integer(row, 'count')
}

export const spendCode = (db: DatabaseSync, accountId: string, proof: CodeProof): boolean => {
  if (proof.kind === 'recovery') {
    const take = 'DELETE FROM recovery_codes WHERE account_id = ? AND code_hash = ?'
    return prepared(db, take).run(accountId, proof.hash).changes === 1
  }
  const use = `UPDATE totp_factors SET last_step = ?
    WHERE account_id = ? AND last_step < ? AND confirmed_at IS NOT NULL`
  return prepared(db, use).run(proof.step, accountId, proof.step).changes === 1
}

export const removeTotp = (db: DatabaseSync, accountId: string, proof: CodeProof): boolean => {
  if (!spendCode(db, accountId, proof)) return false
  dropTotp(db, accountId)
  weakenSessions(db, accountId)
  return true
}

export const resetTotp = (db: DatabaseSync, accountId: string): boolean => {
  if (!dropTotp(db, accountId)) return false
  prepared(db, 'DELETE FROM sessions WHERE account_id = ?').run(accountId)
  prepared(db, 'DELETE FROM challenges WHERE account_id = ?').run(accountId)
  return true
}

export const hasTotp = (db: DatabaseSync, accountId: string): boolean =>
  prepared(db, 'SELECT 1 FROM totp_factors WHERE account_id = ? AND confirmed_at IS NOT NULL').get(accountId) !==
  undefined

const insertCodes = (db: DatabaseSync, accountId: string, codeHashes: readonly Uint8Array[]): void => {
  prepared(db, 'DELETE FROM recovery_codes WHERE account_id = ?').run(accountId)
  const insert = prepared(db, 'INSERT INTO recovery_codes (account_id, code_hash) VALUES (?, ?)')
  for (const codeHash of codeHashes) insert.run(accountId, codeHash)
}

const dropTotp = (db: DatabaseSync, accountId: string): boolean => {
  prepared(db, 'DELETE FROM recovery_codes WHERE account_id = ?').run(accountId)
  return prepared(db, 'DELETE FROM totp_factors WHERE account_id = ?').run(accountId).changes === 1
}
