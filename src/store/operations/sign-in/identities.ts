import type { DatabaseSync } from 'node:sqlite'
import type { IdentityRecord, KnownAccount } from '../../account-contract.ts'
import type { SignInMethodRemoval } from '../../sign-in-contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { findAccount } from '../accounts/accounts.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'
import { hasOtherSignInMethod } from './has-other-sign-in-method.ts'
import { insertIdentity } from './insert-identity.ts'

const columns = 'id, account_id, issuer, subject, email, created_at, last_used_at'

/** In the order in which they were connected. */
export const listIdentities = (db: DatabaseSync, accountId: string): IdentityRecord[] =>
  prepared(db, `SELECT ${columns} FROM identities WHERE account_id = ? ORDER BY rowid`)
    .all(accountId)
    .map(identityRecord)

export const findIdentity = (db: DatabaseSync, issuer: string, subject: string): KnownAccount | null => {
  const row = prepared(db, 'SELECT account_id FROM identities WHERE issuer = ? AND subject = ?').get(issuer, subject)
  return row === undefined ? null : findAccount(db, text(row, 'account_id'))
}

export const connectIdentity = (db: DatabaseSync, record: IdentityRecord): 'connected' | 'taken' | 'another' => {
  const { accountId, issuer, subject } = record
  const holder = prepared(db, 'SELECT account_id FROM identities WHERE issuer = ? AND subject = ?').get(issuer, subject)
  if (holder !== undefined) return text(holder, 'account_id') === accountId ? 'connected' : 'taken'
  return insertIdentity(db, record) ? 'connected' : 'another'
}

export const noteIdentityUse = (
  db: DatabaseSync,
  { issuer, subject }: { issuer: string; subject: string },
  accountId: string,
  now: number,
): boolean => {
  const use = 'UPDATE identities SET last_used_at = ? WHERE issuer = ? AND subject = ? AND account_id = ?'
  return prepared(db, use).run(now, issuer, subject, accountId).changes === 1
}

export const removeIdentity = (db: DatabaseSync, accountId: string, id: string): SignInMethodRemoval => {
  const found = prepared(db, 'SELECT 1 FROM identities WHERE account_id = ? AND id = ?').get(accountId, id)
  if (found === undefined) return 'not_found'
  if (!hasOtherSignInMethod(db, accountId, id)) return 'last_sign_in_method'
  prepared(db, 'DELETE FROM identities WHERE id = ?').run(id)
  return 'removed'
}

const identityRecord = (row: Row): IdentityRecord => ({
  id: text(row, 'id'),
  accountId: text(row, 'account_id'),
  issuer: text(row, 'issuer'),
  subject: text(row, 'subject'),
  email: textOrNull(row, 'email'),
  createdAt: integer(row, 'created_at'),
  lastUsedAt: integerOrNull(row, 'last_used_at'),
})
