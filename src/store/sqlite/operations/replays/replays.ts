import type { DatabaseSync } from 'node:sqlite'
import type { ReplayRecord } from '../../../ledger-contract.ts'
import { bytes, integer, text } from '../../../operations/row.ts'
import { prepared } from '../../database/prepared.ts'
import { emptyLogAfterCommit } from '../../thread/after-commit.ts'

/** Replaces an expired one; one that has not expired stays. Nothing is stored for an organisation that was deleted. */
export const storeReplay = (db: DatabaseSync, replay: ReplayRecord): void => {
  const insert = `INSERT INTO replays (
      organisation_id, key_hash, body_hash, completion_id, request_id, is_stream, created_at, expires_at, bytes, content
    ) SELECT $organisation, $keyHash, $bodyHash, $completion, $request, $stream, $createdAt, $expiresAt,
      octet_length($content), $content WHERE EXISTS (SELECT 1 FROM organisations WHERE id = $organisation)
    ON CONFLICT (organisation_id, key_hash) DO UPDATE SET body_hash = excluded.body_hash,
      completion_id = excluded.completion_id, request_id = excluded.request_id, is_stream = excluded.is_stream,
      created_at = excluded.created_at, expires_at = excluded.expires_at, bytes = excluded.bytes,
      content = excluded.content
    WHERE replays.expires_at <= excluded.created_at`
  prepared(db, insert).run({
    organisation: replay.organisationId,
    keyHash: replay.keyHash,
    bodyHash: replay.bodyHash,
    completion: replay.completionId,
    request: replay.requestId,
    stream: replay.stream ? 1 : 0,
    createdAt: replay.createdAt,
    expiresAt: replay.expiresAt,
    content: replay.content,
  })
}

export const hasReplay = (db: DatabaseSync, organisationId: string, keyHash: Uint8Array, now: number): boolean => {
  const find = 'SELECT 1 FROM replays WHERE organisation_id = ? AND key_hash = ? AND expires_at > ?'
  return prepared(db, find).get(organisationId, keyHash, now) !== undefined
}

export const findReplay = (
  db: DatabaseSync,
  organisationId: string,
  keyHash: Uint8Array,
  now: number,
): ReplayRecord | null => {
  const find = `SELECT body_hash, completion_id, request_id, is_stream, created_at, expires_at, content FROM replays
    WHERE organisation_id = ? AND key_hash = ? AND expires_at > ?`
  const row = prepared(db, find).get(organisationId, keyHash, now)
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

export const removeExpiredReplays = (db: DatabaseSync, now: number): number => {
  const due = prepared(db, 'SELECT rowid, bytes FROM replays WHERE expires_at <= ? ORDER BY expires_at LIMIT ?')
  const remove = prepared(db, 'DELETE FROM replays WHERE rowid = ?')
  let removed = 0
  let removedBytes = 0
  for (const row of due.all(now, removedAtOnce)) {
    removedBytes += integer(row, 'bytes')
    if (removed > 0 && removedBytes > removedAtOnceBytes) break
    remove.run(integer(row, 'rowid'))
    removed += 1
  }
  if (removed > 0) emptyLogAfterCommit(db)
  return removed
}

/** By organisation, read from the index alone. */
export const sumReplayBytes = (db: DatabaseSync): ReadonlyMap<string, number> => {
  const sums = prepared(
    db,
    'SELECT organisation_id, sum(bytes) AS kept FROM replays INDEXED BY replays_by_end GROUP BY organisation_id',
  ).all()
  return new Map(sums.map((row) => [text(row, 'organisation_id'), integer(row, 'kept')]))
}
