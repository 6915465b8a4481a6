import type { ReplayRecord } from '../../replay-contract.ts'
import { deleteText } from '../delete-text.ts'
import { all, first, type Query, run } from '../query.ts'
import { bytes, integer, text } from '../row.ts'

export const replayColumns =
  'organisation_id, key_hash, body_hash, completion_id, request_id, is_stream, created_at, expires_at, bytes, content'

const valid = 'organisation_id = ? AND key_hash = ? AND expires_at > ?'

export function* hasReplay(organisationId: string, keyHash: Uint8Array, now: number): Query<boolean> {
  const row = yield* first(`SELECT 1 AS found FROM replays WHERE ${valid}`, organisationId, keyHash, now)
  return row !== undefined
}

export function* findReplay(organisationId: string, keyHash: Uint8Array, now: number): Query<ReplayRecord | null> {
  const row = yield* first(
    `SELECT body_hash, completion_id, request_id, is_stream, created_at, expires_at, content FROM replays WHERE ${valid}`,
    ...[organisationId, keyHash, now],
  )
  if (row === undefined) return null
  return {
    organisationId,
    keyHash,
    bodyHash: bytes(row, 'body_hash'),
    completionId: text(row, 'completion_id'),
    requestId: text(row, 'request_id'),
    stream: row.is_stream === 1,
    content: text(row, 'content'),
    createdAt: integer(row, 'created_at'),
    expiresAt: integer(row, 'expires_at'),
  }
}

/** Of long ones only a few at a time: each page of them is overwritten, and requests wait for it. */
const removedAtOnce = 50
const removedAtOnceBytes = 4_194_304

export function* removeExpiredReplays(now: number): Query<number> {
  const due = yield* all(
    'SELECT rowid, bytes FROM replays WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
    now,
    removedAtOnce,
  )
  let removed = 0
  let removedBytes = 0
  for (const row of due) {
    removedBytes += integer(row, 'bytes')
    if (removed > 0 && removedBytes > removedAtOnceBytes) break
    yield* deleteText(run('DELETE FROM replays WHERE rowid = ?', integer(row, 'rowid')))
    removed += 1
  }
  return removed
}

const sumBytes = (hint: string): string =>
  `SELECT organisation_id, sum(bytes) AS kept FROM replays ${hint} GROUP BY organisation_id`

/** By organisation, read from the index alone. */
export function* sumReplayBytes(): Query<ReadonlyMap<string, number>> {
  const sums = yield* all({ sqlite: sumBytes('INDEXED BY replays_by_end'), postgres: sumBytes('') })
  return new Map(sums.map((row) => [text(row, 'organisation_id'), integer(row, 'kept')]))
}
