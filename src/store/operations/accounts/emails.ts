import type { EmailChanged, NewEmail } from '../../account-contract.ts'
import { deleteText } from '../delete-text.ts'
import { first, type Query, run } from '../query.ts'

import { findLink } from './links.ts'

export function* changeEmail(id: string, email: NewEmail): Query<EmailChanged> {
  return yield* setEmail(id, email, null)
}

export function* confirmEmail(linkHash: Uint8Array, email: NewEmail, now: number): Query<EmailChanged> {
  const accountId = (yield* findLink('email_change', linkHash, now))?.accountId ?? null
  return accountId === null ? 'not_found' : yield* setEmail(accountId, email, now)
}

/** Links that were sent to the old address, or to another requested one, become invalid. */
function* setEmail(
  id: string,
  { email, emailKey, emailSpellings }: NewEmail,
  verifiedAt: number | null,
): Query<EmailChanged> {
  if (yield* isEmailTaken(emailSpellings, id)) return 'email_taken'
  const update = 'UPDATE accounts SET email = ?, email_key = ?, email_verified_at = ? WHERE id = ?'
  if ((yield* deleteText(run(update, email, emailKey, verifiedAt, id))) === 0) return 'not_found'
  yield* run('DELETE FROM links WHERE account_id = ?', id)
  return 'changed'
}

/** Whether an account other than this one has the email, in any form. */
export function* isEmailTaken(emailSpellings: readonly string[], exceptId: string): Query<boolean> {
  for (const emailKey of emailSpellings)
    if ((yield* first('SELECT 1 FROM accounts WHERE email_key = ? AND id <> ?', emailKey, exceptId)) !== undefined)
      return true
  return false
}
