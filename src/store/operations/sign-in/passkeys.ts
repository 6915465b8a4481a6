import type { DatabaseSync } from 'node:sqlite'
import type { KnownAccount } from '../../account-contract.ts'
import type { PasskeyRecord, SignInMethodRemoval } from '../../sign-in-contract.ts'
import type { PasskeyProof } from '../../sign-in-proof.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { findAccount } from '../accounts/accounts.ts'
import { bytes, integer, integerOrNull, type Row, text, texts } from '../row.ts'
import { hasOtherSignInMethod } from './has-other-sign-in-method.ts'
import { weakenSessions } from './weaken-sessions.ts'

const columns = `id, credential_id, account_id, name, public_key, counter, transports, relying_party, created_at,
  last_used_at`

/** In the order in which they were created. */
export const listPasskeys = (db: DatabaseSync, accountId: string): PasskeyRecord[] =>
  prepared(db, `SELECT ${columns} FROM passkeys WHERE account_id = ? ORDER BY rowid`).all(accountId).map(passkeyRecord)

export const findPasskey = (
  db: DatabaseSync,
  credentialId: string,
): { passkey: PasskeyRecord; known: KnownAccount } | null => {
  const row = prepared(db, `SELECT ${columns} FROM passkeys WHERE credential_id = ?`).get(credentialId)
  if (row === undefined) return null
  const passkey = passkeyRecord(row)
  const known = findAccount(db, passkey.accountId)
  return known === null ? null : { passkey, known }
}

export const insertPasskey = (
  db: DatabaseSync,
  record: PasskeyRecord,
  sessionId: string,
  most: number,
): 'added' | 'taken' | 'too_many' => {
  if (listPasskeys(db, record.accountId).length >= most) return 'too_many'
  const insert = `INSERT INTO passkeys (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
  const { changes } = prepared(db, insert).run(
    record.id,
    record.credentialId,
    record.accountId,
    record.name,
    record.publicKey,
    record.counter,
    JSON.stringify(record.transports),
    record.relyingParty,
    record.createdAt,
    record.lastUsedAt,
  )
  if (changes === 0) return 'taken'
  prepared(db, 'UPDATE sessions SET has_second_factor = 1 WHERE id = ?').run(sessionId)
  return 'added'
}

/**
 * WebAuthn §7.2, step 22: a counter that does not increase means a second copy of the authenticator. Authenticators
 * that do not count, such as all synchronised ones, always report 0.
 */
export const countPasskeyUse = (
  db: DatabaseSync,
  { id, counter }: PasskeyProof,
  accountId: string,
  now: number,
): boolean => {
  const use = `UPDATE passkeys SET counter = $counter, last_used_at = $now
    WHERE id = $id AND account_id = $account AND (counter < $counter OR (counter = 0 AND $counter = 0))`
  return prepared(db, use).run({ id, counter, account: accountId, now }).changes === 1
}

export const renamePasskey = (db: DatabaseSync, accountId: string, id: string, name: string): boolean =>
  prepared(db, 'UPDATE passkeys SET name = ? WHERE account_id = ? AND id = ?').run(name, accountId, id).changes === 1

export const removePasskey = (db: DatabaseSync, accountId: string, id: string): SignInMethodRemoval => {
  const found = prepared(db, 'SELECT 1 FROM passkeys WHERE account_id = ? AND id = ?').get(accountId, id)
  if (found === undefined) return 'not_found'
  if (!hasOtherSignInMethod(db, accountId, id)) return 'last_sign_in_method'
  prepared(db, 'DELETE FROM passkeys WHERE id = ?').run(id)
  weakenSessions(db, accountId)
  return 'removed'
}

const passkeyRecord = (row: Row): PasskeyRecord => ({
  id: text(row, 'id'),
  credentialId: text(row, 'credential_id'),
  accountId: text(row, 'account_id'),
  name: text(row, 'name'),
  publicKey: bytes(row, 'public_key'),
  counter: integer(row, 'counter'),
  transports: texts(row, 'transports'),
  relyingParty: text(row, 'relying_party'),
  createdAt: integer(row, 'created_at'),
  lastUsedAt: integerOrNull(row, 'last_used_at'),
})
