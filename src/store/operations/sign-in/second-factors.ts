import type { SessionRecord } from '../../account-contract.ts'
import type { TotpRecord } from '../../sign-in-contract.ts'
import type { CodeProof } from '../../sign-in-proof.ts'
import { deleteText } from '../delete-text.ts'
import { first, type Query, run } from '../query.ts'

import { integer, integerOrNull, text } from '../row.ts'
import { weakenSessions } from './weaken-sessions.ts'

export function* findTotp(accountId: string): Query<TotpRecord | null> {
  const find = 'SELECT sealed_secret, last_step, confirmed_at FROM totp_factors WHERE account_id = ?'
  const row = yield* first(find, accountId)
  if (row === undefined) return null
  return {
    sealedSecret: text(row, 'sealed_secret'),
    lastStep: integer(row, 'last_step'),
    confirmedAt: integerOrNull(row, 'confirmed_at'),
  }
}

export function* beginTotp(accountId: string, sealedSecret: string, now: number): Query<boolean> {
  yield* deleteText(run('DELETE FROM totp_factors WHERE account_id = ? AND confirmed_at IS NULL', accountId))
  const insert = `INSERT INTO totp_factors (account_id, sealed_secret, last_step, created_at) VALUES (?, ?, 0, ?)
    ON CONFLICT DO NOTHING`
  return (yield* run(insert, accountId, sealedSecret, now)) === 1
}

export function* confirmTotp(
  { id: sessionId, accountId }: Pick<SessionRecord, 'id' | 'accountId'>,
  confirmed: { sealedSecret: string; step: number; codeHashes: readonly Uint8Array[]; now: number },
): Query<boolean> {
  const { sealedSecret, step, codeHashes, now } = confirmed
  const confirm = `UPDATE totp_factors SET confirmed_at = ?, last_step = ?
    WHERE account_id = ? AND sealed_secret = ? AND confirmed_at IS NULL`
  if ((yield* run(confirm, now, step, accountId, sealedSecret)) === 0) return false
  yield* insertCodes(accountId, codeHashes)
  yield* run('UPDATE sessions SET has_second_factor = 1 WHERE id = ?', sessionId)
  return true
}

export function* replaceRecoveryCodes(accountId: string, codeHashes: readonly Uint8Array[]): Query<boolean> {
  if (!(yield* hasTotp(accountId))) return false
  yield* insertCodes(accountId, codeHashes)
  return true
}

export function* countRecoveryCodes(accountId: string): Query<number> {
  const row = yield* first('SELECT count(*) AS count FROM recovery_codes WHERE account_id = ?', accountId)
  return row === undefined ? 0 : integer(row, 'count')
}

export function* spendCode(accountId: string, proof: CodeProof): Query<boolean> {
  if (proof.kind === 'recovery') {
    const take = 'DELETE FROM recovery_codes WHERE account_id = ? AND code_hash = ?'
    return (yield* run(take, accountId, proof.hash)) === 1
  }
  const use = `UPDATE totp_factors SET last_step = ?
    WHERE account_id = ? AND last_step < ? AND confirmed_at IS NOT NULL`
  return (yield* run(use, proof.step, accountId, proof.step)) === 1
}

export function* removeTotp(accountId: string, proof: CodeProof): Query<boolean> {
  if (!(yield* spendCode(accountId, proof))) return false
  yield* dropTotp(accountId)
  yield* weakenSessions(accountId)
  return true
}

export function* resetTotp(accountId: string): Query<boolean> {
  if (!(yield* dropTotp(accountId))) return false
  yield* deleteText(run('DELETE FROM sessions WHERE account_id = ?', accountId))
  yield* deleteText(run('DELETE FROM challenges WHERE account_id = ?', accountId))
  return true
}

export function* hasTotp(accountId: string): Query<boolean> {
  return (
    (yield* first('SELECT 1 FROM totp_factors WHERE account_id = ? AND confirmed_at IS NOT NULL', accountId)) !==
    undefined
  )
}

function* insertCodes(accountId: string, codeHashes: readonly Uint8Array[]): Query<void> {
  yield* run('DELETE FROM recovery_codes WHERE account_id = ?', accountId)
  const insert = 'INSERT INTO recovery_codes (account_id, code_hash) VALUES (?, ?)'
  for (const codeHash of codeHashes) yield* run(insert, accountId, codeHash)
}

function* dropTotp(accountId: string): Query<boolean> {
  yield* run('DELETE FROM recovery_codes WHERE account_id = ?', accountId)
  return (yield* deleteText(run('DELETE FROM totp_factors WHERE account_id = ?', accountId))) === 1
}
