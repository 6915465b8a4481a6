import type { DatabaseSync } from 'node:sqlite'
import { refusalOf } from '../../../operations/requests/refusal-row.ts'
import { integer, type Row } from '../../../operations/row.ts'
import type { Refusal } from '../../../request-log-contract.ts'
import { prepared } from '../../database/prepared.ts'

/** Of one organisation: enough to see what went wrong, and no flood fills the disk with it. */
const maxKept = 10_000

export type FoundRefusal = { sequence: number; row: Refusal }

/** A request that the ledger has was let in, however it ended: it is not written down twice. */
export const refuseRequests = (db: DatabaseSync, refusals: readonly Refusal[]): void => {
  const insert = prepared(
    db,
    `INSERT INTO refused_requests (
      request_id, organisation_id, key_id, model, endpoint, is_stream, error, refusing_limit, created_at, duration_ms,
      left_out
    ) SELECT $request, $organisation, $key, $model, $endpoint, $stream, $error, $limit, $createdAt, $durationMs, $leftOut
    WHERE EXISTS (SELECT 1 FROM organisations WHERE id = $organisation)
      AND NOT EXISTS (SELECT 1 FROM ledger_reservations WHERE request_id = $request)
    ON CONFLICT DO NOTHING`,
  )
  for (const refusal of refusals)
    insert.run({
      request: refusal.requestId,
      organisation: refusal.organisationId,
      key: refusal.keyId,
      model: refusal.model,
      endpoint: refusal.endpoint,
      stream: refusal.stream === null ? null : Number(refusal.stream),
      error: refusal.error,
      limit: refusal.limit === null ? null : JSON.stringify(refusal.limit),
      createdAt: refusal.createdAt,
      durationMs: Math.round(refusal.durationMs),
      leftOut: refusal.leftOut,
    })
  for (const organisationId of new Set(refusals.map((refusal) => refusal.organisationId))) trim(db, organisationId)
}

const trim = (db: DatabaseSync, organisationId: string): void => {
  prepared(
    db,
    `DELETE FROM refused_requests WHERE organisation_id = $organisation AND sequence <= (
      SELECT sequence FROM refused_requests WHERE organisation_id = $organisation
      ORDER BY sequence DESC LIMIT 1 OFFSET ${maxKept}
    )`,
  ).run({ organisation: organisationId })
}

const select = `SELECT sequence, request_id, organisation_id, key_id, model, endpoint, is_stream, error, refusing_limit,
    created_at, duration_ms, left_out FROM refused_requests`

export const findRefusal = (db: DatabaseSync, requestId: string): Refusal | null => {
  const row = prepared(db, `${select} WHERE request_id = ?`).get(requestId)
  return row === undefined ? null : refusalOf(row)
}

/** Newest first. */
export const refusalsBefore = (
  db: DatabaseSync,
  organisationId: string,
  bound: number,
  limit: number,
): FoundRefusal[] =>
  prepared(db, `${select} WHERE organisation_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`)
    .all(organisationId, bound, limit)
    .map(found)

/** Oldest first. */
export const refusalsAfter = (
  db: DatabaseSync,
  organisationId: string,
  newest: number,
  limit: number,
): FoundRefusal[] =>
  prepared(db, `${select} WHERE organisation_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`)
    .all(organisationId, newest, limit)
    .map(found)

export const pruneRefusals = (db: DatabaseSync, refusedBefore: number, limit: number): number => {
  const remove = `DELETE FROM refused_requests WHERE sequence IN (
    SELECT sequence FROM refused_requests WHERE created_at < ? ORDER BY created_at LIMIT ?
  )`
  return Number(prepared(db, remove).run(refusedBefore, limit).changes)
}

const found = (row: Row): FoundRefusal => ({ sequence: integer(row, 'sequence'), row: refusalOf(row) })
