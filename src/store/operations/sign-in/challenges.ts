import type { ChallengeKind, ChallengeRecord } from '../../sign-in-contract.ts'
import { deleteText } from '../delete-text.ts'
import { first, type Query, run } from '../query.ts'

import { integer, type Row, text, textOrNull } from '../row.ts'

/** Also removes expired challenges. */
export function* insertChallenge(record: ChallengeRecord, tokenHash: Uint8Array, now: number): Query<void> {
  yield* deleteText(run('DELETE FROM challenges WHERE expires_at <= ?', now))
  const { kind, accountId, content, triesLeft, expiresAt } = record
  const insert = `INSERT INTO challenges (token_hash, kind, account_id, content, tries_left, expires_at)
    VALUES (?, ?, ?, ?, ?, ?)`
  yield* run(insert, tokenHash, kind, accountId, content, triesLeft, expiresAt)
}

const columns = 'account_id, content, tries_left, expires_at'
const valid = 'kind = ? AND token_hash = ? AND expires_at > ?'

export function* attemptChallenge(
  kind: ChallengeKind,
  tokenHash: Uint8Array,
  now: number,
): Query<ChallengeRecord | null> {
  return toChallenge(
    kind,
    yield* first(
      `UPDATE challenges SET tries_left = tries_left - 1 WHERE ${valid} AND tries_left > 0 RETURNING ${columns}`,
      kind,
      tokenHash,
      now,
    ),
  )
}

export function* consumeChallenge(
  kind: ChallengeKind,
  tokenHash: Uint8Array,
  now: number,
): Query<ChallengeRecord | null> {
  const take = `DELETE FROM challenges WHERE ${valid} RETURNING ${columns}`
  return toChallenge(kind, yield* deleteText(first(take, kind, tokenHash, now)))
}

export function* isOpenChallenge(tokenHash: Uint8Array, now: number): Query<boolean> {
  return (
    (yield* first('SELECT 1 FROM challenges WHERE token_hash = ? AND expires_at > ?', tokenHash, now)) !== undefined
  )
}

export function* endChallenge(tokenHash: Uint8Array): Query<void> {
  yield* deleteText(run('DELETE FROM challenges WHERE token_hash = ?', tokenHash))
}

const toChallenge = (kind: ChallengeKind, row: Row | undefined): ChallengeRecord | null =>
  row === undefined
    ? null
    : {
        kind,
        accountId: textOrNull(row, 'account_id'),
        content: text(row, 'content'),
        triesLeft: integer(row, 'tries_left'),
        expiresAt: integer(row, 'expires_at'),
      }
