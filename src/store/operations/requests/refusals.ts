import type { Refusal, RefusedCount, ServerRefusalCount } from '../../request-log-contract.ts'
import type { Column } from '../ledger/ledger-columns.ts'
import { all, first, type Query, run, type Value } from '../query.ts'
import { integer, type Row, text } from '../row.ts'
import { readLimit, readRefusal } from './refusal-row.ts'

/** The maximum for an organisation: enough to see what went wrong, without filling the disk. */
export const maxKeptRefusals = 10_000

/** What is written for a refusal. */
export const refusalColumns: readonly (Column & { readonly value: (refusal: Refusal) => Value })[] = [
  { name: 'request_id', type: 'text', value: ({ requestId }) => requestId },
  { name: 'organisation_id', type: 'text', value: ({ organisationId }) => organisationId },
  { name: 'key_id', type: 'text', value: ({ keyId }) => keyId },
  { name: 'model', type: 'text', value: ({ model }) => model },
  { name: 'endpoint', type: 'text', value: ({ endpoint }) => endpoint },
  { name: 'is_stream', type: 'smallint', value: ({ stream }) => (stream === null ? null : Number(stream)) },
  { name: 'error', type: 'text', value: ({ error }) => error },
  { name: 'refusing_limit', type: 'text', value: ({ limit }) => (limit === null ? null : JSON.stringify(limit)) },
  { name: 'hooks', type: 'text', value: ({ hooks = null }) => hooks },
  { name: 'created_at', type: 'bigint', value: ({ createdAt }) => createdAt },
  { name: 'duration_ms', type: 'bigint', value: ({ durationMs }) => Math.round(durationMs) },
  { name: 'left_out', type: 'bigint', value: ({ leftOut }) => leftOut },
]

export const refusalColumnNames = refusalColumns.map(({ name }) => name).join(', ')

export const refusalRow = (refusal: Refusal): Value[] => refusalColumns.map(({ value }) => value(refusal))

export const selectRefusals = `SELECT sequence, ${refusalColumnNames} FROM refused_requests`

export type FoundRefusal = { sequence: number; row: Refusal }

export const foundRefusal = (row: Row): FoundRefusal => ({ sequence: integer(row, 'sequence'), row: readRefusal(row) })

export function* findRefusal(requestId: string): Query<Refusal | null> {
  const row = yield* first(`${selectRefusals} WHERE request_id = ?`, requestId)
  return row === undefined ? null : readRefusal(row)
}

/** More errors than the catalogue has are not expected. */
const maxErrors = 500

export function* countRefused(organisationId: string, from: number, until: number): Query<RefusedCount[]> {
  const rows = yield* all(
    `SELECT error, CAST(COUNT(*) + SUM(left_out) AS BIGINT) AS refused FROM refused_requests
      WHERE organisation_id = ? AND created_at >= ? AND created_at < ? GROUP BY error ORDER BY refused DESC, error LIMIT ?`,
    ...[organisationId, from, until, maxErrors],
  )
  return rows.map((row) => ({ error: text(row, 'error'), count: integer(row, 'refused') }))
}

/** A limit is written as JSON, of which the figures differ from request to request. */
const countBy = (name: string, scope: string): string =>
  `SELECT error, ${name} AS limit_name, ${scope} AS limit_scope, sum(1 + left_out) AS requests FROM (
    SELECT error, refusing_limit, left_out FROM refused_requests
    WHERE created_at >= $since ORDER BY created_at DESC LIMIT $looked
  ) AS newest GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3 LIMIT $limit`
const countByLimit = {
  sqlite: countBy("refusing_limit ->> 'name'", "refusing_limit ->> 'scope'"),
  postgres: countBy("refusing_limit::json ->> 'name'", "refusing_limit::json ->> 'scope'"),
}

export function* countServerRefusals(filter: {
  since: number
  looked: number
  limit: number
}): Query<ServerRefusalCount[]> {
  const rows = yield* all(countByLimit, filter)
  return rows.map((row) => ({ error: text(row, 'error'), limit: readLimit(row), requests: integer(row, 'requests') }))
}

export function* pruneRefusals(refusedBefore: number, limit: number): Query<number> {
  return yield* run(
    `DELETE FROM refused_requests WHERE sequence IN (
      SELECT sequence FROM refused_requests WHERE created_at < ? ORDER BY created_at LIMIT ?
    )`,
    ...[refusedBefore, limit],
  )
}
