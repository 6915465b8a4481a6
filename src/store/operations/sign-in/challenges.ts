import type { DatabaseSync } from 'node:sqlite'
import type { ChallengeKind, ChallengeRecord } from '../../sign-in-contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { integer, type Row, text, textOrNull } from '../row.ts'

/** Also removes expired challenges. */
export const insertChallenge = (
  db: DatabaseSync,
  record: ChallengeRecord,
  tokenHash: Uint8Array,
  now: number,
): void => {
  prepared(db, 'DELETE FROM challenges WHERE expires_at <= ?').run(now)
  const { kind, accountId, content, triesLeft, expiresAt } = record
  const insert = `INSERT INTO challenges (token_hash, kind, account_id, content, tries_left, expires_at)
    VALUES (?, ?, ?, ?, ?, ?)`
  prepared(db, insert).run(tokenHash, kind, accountId, content, triesLeft, expiresAt)
}

const columns = 'account_id, content, tries_left, expires_at'
const valid = 'kind = ? AND token_hash = ? AND expires_at > ?'

export const attemptChallenge = (
  db: DatabaseSync,
  kind: ChallengeKind,
  tokenHash: Uint8Array,
  now: number,
): ChallengeRecord | null =>
  toChallenge(
    kind,
    prepared(
      db,
      `UPDATE challenges SET tries_left = tries_left - 1 WHERE ${valid} AND tries_left > 0 RETURNING ${columns}`,
    ).get(kind, tokenHash, now),
  )

export const consumeChallenge = (
  db: DatabaseSync,
  kind: ChallengeKind,
  tokenHash: Uint8Array,
  now: number,
): ChallengeRecord | null =>
  toChallenge(
    kind,
    prepared(db, `DELETE FROM challenges WHERE ${valid} RETURNING ${columns}`).get(kind, tokenHash, now),
  )

export const isOpenChallenge = (db: DatabaseSync, tokenHash: Uint8Array, now: number): boolean =>
  prepared(db, 'SELECT 1 FROM challenges WHERE token_hash = ? AND expires_at > ?').get(tokenHash, now) !== undefined

export const endChallenge = (db: DatabaseSync, tokenHash: Uint8Array): void => {
  prepared(db, 'DELETE FROM challenges WHERE token_hash = ?').run(tokenHash)
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
