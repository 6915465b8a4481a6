import type { IdentityRecord, KnownAccount } from '../../account-contract.ts'
import type { SignInMethodRemoval } from '../../sign-in-contract.ts'
import { findAccount } from '../accounts/accounts.ts'
import { deleteText } from '../delete-text.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'
import { hasOtherSignInMethod } from './has-other-sign-in-method.ts'
import { insertIdentity } from './insert-identity.ts'

const columns = 'id, account_id, issuer, subject, email, created_at, last_used_at'

/** In the order in which they were connected. */
export function* listIdentities(accountId: string): Query<IdentityRecord[]> {
  return (yield* all(`SELECT ${columns} FROM identities WHERE account_id = ? ORDER BY rowid`, accountId)).map(
    identityRecord,
  )
}

export function* findIdentity(issuer: string, subject: string): Query<KnownAccount | null> {
  const row = yield* first('SELECT account_id FROM identities WHERE issuer = ? AND subject = ?', issuer, subject)
  return row === undefined ? null : yield* findAccount(text(row, 'account_id'))
}

export function* connectIdentity(record: IdentityRecord): Query<'connected' | 'taken' | 'another'> {
  const { accountId, issuer, subject } = record
  const holder = yield* first('SELECT account_id FROM identities WHERE issuer = ? AND subject = ?', issuer, subject)
  if (holder !== undefined) return text(holder, 'account_id') === accountId ? 'connected' : 'taken'
  return (yield* insertIdentity(record)) ? 'connected' : 'another'
}

export function* noteIdentityUse(
  { issuer, subject }: { issuer: string; subject: string },
  accountId: string,
  now: number,
): Query<boolean> {
  const use = 'UPDATE identities SET last_used_at = ? WHERE issuer = ? AND subject = ? AND account_id = ?'
  return (yield* run(use, now, issuer, subject, accountId)) === 1
}

export function* removeIdentity(accountId: string, id: string): Query<SignInMethodRemoval> {
  const found = yield* first('SELECT 1 FROM identities WHERE account_id = ? AND id = ?', accountId, id)
  if (found === undefined) return 'not_found'
  if (!(yield* hasOtherSignInMethod(accountId, id))) return 'last_sign_in_method'
  yield* deleteText(run('DELETE FROM identities WHERE id = ?', id))
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
