import type { DatabaseSync } from 'node:sqlite'
import type { EmailChanged, NewEmail } from '../../account-contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { findLink } from './links.ts'

export const changeEmail = (db: DatabaseSync, id: string, email: NewEmail): EmailChanged =>
  setEmail(db, id, email, null)

export const confirmEmail = (db: DatabaseSync, linkHash: Uint8Array, email: NewEmail, now: number): EmailChanged => {
  const accountId = findLink(db, 'email_change', linkHash, now)?.accountId ?? null
  return accountId === null ? 'not_found' : setEmail(db, accountId, email, now)
}

/** Links that were sent to the old address, or to another requested one, become invalid. */
const setEmail = (
  db: DatabaseSync,
  id: string,
  { email, emailKey }: NewEmail,
  verifiedAt: number | null,
): EmailChanged => {
  const taken = prepared(db, 'SELECT 1 FROM accounts WHERE email_key = ? AND id <> ?').get(emailKey, id)
  if (taken !== undefined) return 'email_taken'
  const update = prepared(db, 'UPDATE accounts SET email = ?, email_key = ?, email_verified_at = ? WHERE id = ?')
  if (update.run(email, emailKey, verifiedAt, id).changes === 0) return 'not_found'
  prepared(db, 'DELETE FROM links WHERE account_id = ?').run(id)
  return 'changed'
}
