import { all, first, type Query, run } from '../../../operations/query.ts'
import { refusalOf } from '../../../operations/requests/refusal-row.ts'
import { integer, type Row } from '../../../operations/row.ts'
import type { Refusal } from '../../../request-log-contract.ts'
import { jsonText } from '../ledger/json-text.ts'
import { currentTransaction, oldestRunning } from '../ledger/transaction-ids.ts'

/** Of one organisation: enough to see what went wrong, and no flood fills the disk with it. */
const maxKept = 10_000

export type FoundRefusal = { sequence: number; row: Refusal }

/** A request that the ledger has was admitted, however it ended: it is not recorded twice. */
const insert = `INSERT INTO refused_requests (
    transaction_id, request_id, organisation_id, key_id, model, endpoint, is_stream, error, refusing_limit, created_at,
    duration_ms, left_out
  ) SELECT ${currentTransaction}, item->>0, item->>1, item->>2, item->>3, item->>4, (item->>5)::smallint, item->>6,
      item->>7, (item->>8)::bigint, (item->>9)::bigint, (item->>10)::bigint
    FROM jsonb_array_elements(CAST(? AS jsonb)) WITH ORDINALITY AS list (item, n)
    WHERE EXISTS (SELECT 1 FROM organisations WHERE id = item->>1)
      AND NOT EXISTS (SELECT 1 FROM ledger_reservations WHERE request_id = item->>0)
    ORDER BY n ON CONFLICT DO NOTHING`

const trim = `DELETE FROM refused_requests WHERE organisation_id = $organisation AND (transaction_id, sequence) <= (
    SELECT transaction_id, sequence FROM refused_requests WHERE organisation_id = $organisation
    ORDER BY transaction_id DESC, sequence DESC LIMIT 1 OFFSET ${maxKept}
  )`

export function* refuseRequests(refusals: readonly Refusal[]): Query<void> {
  if (refusals.length === 0) return
  yield* run(insert, jsonText(refusals.map(columnsOf)))
  for (const organisationId of new Set(refusals.map((refusal) => refusal.organisationId)))
    yield* run(trim, { organisation: organisationId })
}

const columnsOf = (refusal: Refusal): unknown[] => [
  refusal.requestId,
  refusal.organisationId,
  refusal.keyId,
  refusal.model,
  refusal.endpoint,
  refusal.stream === null ? null : Number(refusal.stream),
  refusal.error,
  refusal.limit === null ? null : JSON.stringify(refusal.limit),
  refusal.createdAt,
  Math.round(refusal.durationMs),
  refusal.leftOut,
]

const select = `SELECT sequence, request_id, organisation_id, key_id, model, endpoint, is_stream, error, refusing_limit,
    created_at, duration_ms, left_out FROM refused_requests`

export function* findRefusal(requestId: string): Query<Refusal | null> {
  const row = yield* first(`${select} WHERE request_id = ?`, requestId)
  return row === undefined ? null : refusalOf(row)
}

/** The position of a row, or of the one before it if it was removed. */
const placeOf = `(SELECT coalesce(max(transaction_id), -1), coalesce(max(sequence), 0) FROM (
    SELECT transaction_id, sequence FROM refused_requests WHERE sequence <= $bound ORDER BY sequence DESC LIMIT 1
  ) AS place)`

/** Newest first. */
export function* refusalsBefore(organisationId: string, bound: number, limit: number): Query<FoundRefusal[]> {
  const isBounded = bound !== Number.MAX_SAFE_INTEGER
  const before = isBounded ? `AND (transaction_id, sequence) <= ${placeOf} AND sequence <> $bound` : ''
  const rows = yield* all(
    `${select} WHERE organisation_id = $organisation ${before}
    ORDER BY transaction_id DESC, sequence DESC LIMIT $limit`,
    { organisation: organisationId, limit, ...(isBounded ? { bound } : {}) },
  )
  return rows.map(found)
}

const ended = `transaction_id < ${oldestRunning}`

/** Oldest first, without what running transactions may still precede. */
export function* refusalsAfter(organisationId: string, newest: number, limit: number): Query<FoundRefusal[]> {
  const rows = yield* all(
    `${select} WHERE organisation_id = $organisation AND ${ended} AND (transaction_id, sequence) > ${placeOf}
    ORDER BY transaction_id, sequence LIMIT $limit`,
    { organisation: organisationId, bound: newest, limit },
  )
  return rows.map(found)
}

export function* newestRefusal(organisationId: string): Query<number> {
  const row = yield* first(
    `SELECT sequence FROM refused_requests WHERE organisation_id = ? AND ${ended}
    ORDER BY transaction_id DESC, sequence DESC LIMIT 1`,
    organisationId,
  )
  return row === undefined ? 0 : integer(row, 'sequence')
}

export function* pruneRefusals(refusedBefore: number, limit: number): Query<number> {
  return yield* run(
    `DELETE FROM refused_requests WHERE sequence IN (
      SELECT sequence FROM refused_requests WHERE created_at < ? ORDER BY created_at LIMIT ?
    )`,
    refusedBefore,
    limit,
  )
}

const found = (row: Row): FoundRefusal => ({ sequence: integer(row, 'sequence'), row: refusalOf(row) })
