import type { KnownAccount } from '../../account-contract.ts'
import type { PasskeyRecord, SignInMethodRemoval } from '../../sign-in-contract.ts'
import type { PasskeyProof } from '../../sign-in-proof.ts'
import { findAccount } from '../accounts/accounts.ts'
import { deleteText } from '../delete-text.ts'
import { all, first, type Query, run } from '../query.ts'
import { bytes, integer, integerOrNull, type Row, text, texts } from '../row.ts'
import { hasOtherSignInMethod } from './has-other-sign-in-method.ts'
import { weakenSessions } from './weaken-sessions.ts'

const columns = `id, credential_id, account_id, name, public_key, counter, transports, relying_party, created_at,
  last_used_at`

/** In the order in which they were created. */
export function* listPasskeys(accountId: string): Query<PasskeyRecord[]> {
  return (yield* all(`SELECT ${columns} FROM passkeys WHERE account_id = ? ORDER BY rowid`, accountId)).map(
    passkeyRecord,
  )
}

export function* findPasskey(credentialId: string): Query<{ passkey: PasskeyRecord; known: KnownAccount } | null> {
  const row = yield* first(`SELECT ${columns} FROM passkeys WHERE credential_id = ?`, credentialId)
  if (row === undefined) return null
  const passkey = passkeyRecord(row)
  const known = yield* findAccount(passkey.accountId)
  return known === null ? null : { passkey, known }
}

export function* insertPasskey(
  record: PasskeyRecord,
  sessionId: string,
  max: number,
): Query<'added' | 'taken' | 'too_many'> {
  if ((yield* listPasskeys(record.accountId)).length >= max) return 'too_many'
  const insert = `INSERT INTO passkeys (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
  const inserted = yield* run(
    insert,
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
  if (inserted === 0) return 'taken'
  yield* run('UPDATE sessions SET has_second_factor = 1 WHERE id = ?', sessionId)
  return 'added'
}

/**
 * WebAuthn §7.2, step 22: a counter that does not increase means a second copy of the authenticator. Authenticators
 * that do not count, such as all synchronised ones, always report 0.
 */
export function* countPasskeyUse({ id, counter }: PasskeyProof, accountId: string, now: number): Query<boolean> {
  const use = `UPDATE passkeys SET counter = $counter, last_used_at = $now
    WHERE id = $id AND account_id = $account AND (counter < $counter OR (counter = 0 AND $counter = 0))`
  return (yield* run(use, { id, counter, account: accountId, now })) === 1
}

export function* renamePasskey(accountId: string, id: string, name: string): Query<boolean> {
  const rename = 'UPDATE passkeys SET name = ? WHERE account_id = ? AND id = ?'
  return (yield* deleteText(run(rename, name, accountId, id))) === 1
}

export function* removePasskey(accountId: string, id: string): Query<SignInMethodRemoval> {
  const found = yield* first('SELECT 1 FROM passkeys WHERE account_id = ? AND id = ?', accountId, id)
  if (found === undefined) return 'not_found'
  if (!(yield* hasOtherSignInMethod(accountId, id))) return 'last_sign_in_method'
  yield* deleteText(run('DELETE FROM passkeys WHERE id = ?', id))
  yield* weakenSessions(accountId)
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
