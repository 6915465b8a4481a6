import type { CachedRecord } from '../../cache-contract.ts'
import { deleteText } from '../delete-text.ts'
import { all, first, type Query, run } from '../query.ts'
import { bytes, integer, type Row, text } from '../row.ts'

export function* findCachedAnswer(
  organisationId: string,
  keyHash: Uint8Array,
  now: number,
): Query<CachedRecord | null> {
  const row = yield* first(
    `SELECT request_id, checksum, facts, content, created_at, expires_at FROM cached_answers
      WHERE organisation_id = ? AND key_hash = ? AND expires_at > ?`,
    ...[organisationId, keyHash, now],
  )
  if (row === undefined) return null
  return {
    organisationId,
    keyHash,
    requestId: text(row, 'request_id'),
    checksum: bytes(row, 'checksum'),
    facts: text(row, 'facts'),
    content: text(row, 'content'),
    createdAt: integer(row, 'created_at'),
    expiresAt: integer(row, 'expires_at'),
  }
}

export function* insertCachedAnswer(record: CachedRecord): Query<void> {
  const { organisationId, keyHash, createdAt } = record
  const expired = 'DELETE FROM cached_answers WHERE organisation_id = ? AND key_hash = ? AND expires_at <= ?'
  yield* deleteText(run(expired, organisationId, keyHash, createdAt))
  const insert = `INSERT INTO cached_answers
      (organisation_id, key_hash, request_id, checksum, facts, content, created_at, expires_at, bytes)
    SELECT $organisation, $keyHash, $request, $checksum, $facts, $content, $createdAt, $expiresAt,
      octet_length(CAST($facts AS TEXT)) + octet_length(CAST($content AS TEXT))
    FROM organisations WHERE id = $organisation
    ON CONFLICT (organisation_id, key_hash) DO NOTHING`
  yield* run(insert, {
    organisation: organisationId,
    keyHash,
    request: record.requestId,
    checksum: record.checksum,
    facts: record.facts,
    content: record.content,
    createdAt,
    expiresAt: record.expiresAt,
  })
}

export function* removeCachedAnswer(organisationId: string, keyHash: Uint8Array): Query<void> {
  const remove = 'DELETE FROM cached_answers WHERE organisation_id = ? AND key_hash = ?'
  yield* deleteText(run(remove, organisationId, keyHash))
}

/** Of long ones only a few at a time: each page of them is overwritten, and requests wait for it. */
const removedAtOnce = 50
const removedAtOnceBytes = 4_194_304

export function* removeExpiredAnswers(now: number): Query<number> {
  const due = 'SELECT rowid, bytes FROM cached_answers WHERE expires_at <= ? ORDER BY expires_at LIMIT ?'
  return yield* removeRows(yield* all(due, now, removedAtOnce))
}

export function* removeOldestAnswers(organisationId: string): Query<number> {
  const oldest = `SELECT rowid, bytes FROM cached_answers WHERE organisation_id = ? ORDER BY created_at, rowid LIMIT ?`
  return yield* removeRows(yield* all(oldest, organisationId, removedAtOnce))
}

function* removeRows(rows: readonly Row[]): Query<number> {
  let removed = 0
  let removedBytes = 0
  for (const row of rows) {
    removedBytes += integer(row, 'bytes')
    if (removed > 0 && removedBytes > removedAtOnceBytes) break
    yield* deleteText(run('DELETE FROM cached_answers WHERE rowid = ?', integer(row, 'rowid')))
    removed += 1
  }
  return removed
}

const sumBytes = (hint: string): string =>
  `SELECT organisation_id, sum(bytes) AS kept FROM cached_answers ${hint} GROUP BY organisation_id`

/** By organisation, read from the index alone. */
export function* sumCachedBytes(): Query<ReadonlyMap<string, number>> {
  const sums = yield* all({ sqlite: sumBytes('INDEXED BY cached_answers_by_end'), postgres: sumBytes('') })
  return new Map(sums.map((row) => [text(row, 'organisation_id'), integer(row, 'kept')]))
}
