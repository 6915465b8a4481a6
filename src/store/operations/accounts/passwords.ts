import { deleteText } from '../delete-text.ts'
import { first, type Query, run } from '../query.ts'
import { text } from '../row.ts'
import { consumeLink } from './links.ts'

export function* changePassword(sessionId: string, passwordHash: string, tokenHash: Uint8Array): Query<boolean> {
  const rotate = 'UPDATE sessions SET token_hash = ? WHERE id = ? RETURNING account_id'
  const row = yield* first(rotate, tokenHash, sessionId)
  if (row === undefined) return false
  const accountId = text(row, 'account_id')
  yield* setPassword(accountId, passwordHash)
  yield* deleteText(run('DELETE FROM sessions WHERE account_id = ? AND id <> ?', accountId, sessionId))
  return true
}

export function* resetPassword(
  linkHash: Uint8Array,
  passwordHash: string,
  now: number,
): Query<{ accountId: string } | null> {
  const accountId = (yield* consumeLink('password_reset', linkHash, now))?.accountId ?? null
  if (accountId === null) return null
  yield* setPassword(accountId, passwordHash)
  yield* deleteText(run('DELETE FROM sessions WHERE account_id = ?', accountId))
  return { accountId }
}

export function* verifyEmail(linkHash: Uint8Array, now: number): Query<boolean> {
  const accountId = (yield* consumeLink('email_verification', linkHash, now))?.accountId ?? null
  if (accountId === null) return false
  yield* run('UPDATE accounts SET email_verified_at = coalesce(email_verified_at, ?) WHERE id = ?', now, accountId)
  return true
}

/** Links to reset the password or change the address, requested before, become invalid with the old password. */
function* setPassword(accountId: string, passwordHash: string): Query<void> {
  yield* deleteText(run("DELETE FROM credentials WHERE account_id = ? AND kind = 'password'", accountId))
  yield* run("INSERT INTO credentials (account_id, kind, secret) VALUES (?, 'password', ?)", accountId, passwordHash)
  yield* run("DELETE FROM links WHERE account_id = ? AND kind IN ('password_reset', 'email_change')", accountId)
}
