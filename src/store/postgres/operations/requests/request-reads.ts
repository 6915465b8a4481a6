import { foundRow, type NewestRows } from '../../../operations/ledger/ledger.ts'
import { selectLedgerRows } from '../../../operations/ledger/ledger-row.ts'
import { all } from '../../../operations/query.ts'
import { foundRefusal, selectRefusals } from '../../../operations/requests/refusals.ts'
import type { RequestReads } from '../../../operations/requests/request-reads.ts'
import { jsonText } from '../ledger/json-text.ts'
import { oldestRunning } from '../ledger/transaction-ids.ts'

/** Without what running transactions may still precede. */
export const ended = `transaction_id < ${oldestRunning}`

/** The position of a row, or of the one before it if it was pruned. */
const placeIn = (table: string): string => `(SELECT coalesce(max(transaction_id), -1), coalesce(max(sequence), 0) FROM (
    SELECT transaction_id, sequence FROM ${table} WHERE sequence <= $bound ORDER BY sequence DESC LIMIT 1
  ) AS place)`

/** At most this many for each caller: PostgreSQL would sort all requests of the organisation otherwise. */
export const ofEach = (select: string, order: string): string =>
  `SELECT one.sequence FROM jsonb_array_elements_text(CAST($callers AS jsonb)) AS caller (id)
    CROSS JOIN LATERAL (${select} AND party = caller.id::bigint ${order}) AS one`

const before = (table: string, bound: number): string =>
  bound === Number.MAX_SAFE_INTEGER ? 'true' : `(transaction_id, sequence) <= ${placeIn(table)} AND sequence <> $bound`

const newestRows: NewestRows = function* ({ callers, bound, limit }) {
  const newest = `SELECT sequence FROM ledger_reservations WHERE ${before('ledger_reservations', bound)}`
  const order = 'ORDER BY transaction_id DESC, sequence DESC LIMIT $limit'
  const rows = yield* all(
    `${selectLedgerRows} WHERE reserved.sequence IN (${callers === null ? `${newest} ${order}` : ofEach(newest, order)})
    ORDER BY reserved.transaction_id DESC, reserved.sequence DESC LIMIT $limit`,
    {
      limit,
      ...(bound === Number.MAX_SAFE_INTEGER ? {} : { bound }),
      ...(callers === null ? {} : { callers: jsonText(callers) }),
    },
  )
  return rows.map(foundRow)
}

export const requestReads: RequestReads = {
  newestRows,
  *rowsAfter(callers, mark, limit) {
    const after = `${ended} AND (transaction_id, sequence) > ${placeIn('ledger_reservations')}`
    const order = 'ORDER BY transaction_id, sequence LIMIT $limit'
    const rows = yield* all(
      `${selectLedgerRows} WHERE reserved.sequence IN (
        ${ofEach(`SELECT sequence FROM ledger_reservations WHERE ${after}`, order)}
      ) ORDER BY reserved.transaction_id, reserved.sequence LIMIT $limit`,
      { callers: jsonText(callers), bound: mark, limit },
    )
    return rows.map(foundRow)
  },
  *rowsAt(sequences) {
    if (sequences.length === 0) return []
    const rows = yield* all(
      `${selectLedgerRows} WHERE reserved.sequence IN (
        SELECT id::bigint FROM jsonb_array_elements_text(CAST(? AS jsonb)) AS wanted (id)
      ) ORDER BY reserved.transaction_id, reserved.sequence`,
      jsonText(sequences),
    )
    return rows.map(foundRow)
  },
  *refusalsBefore(organisationId, bound, limit) {
    const rows = yield* all(
      `${selectRefusals} WHERE organisation_id = $organisation AND ${before('refused_requests', bound)}
      ORDER BY transaction_id DESC, sequence DESC LIMIT $limit`,
      { organisation: organisationId, limit, ...(bound === Number.MAX_SAFE_INTEGER ? {} : { bound }) },
    )
    return rows.map(foundRefusal)
  },
  *refusalsAfter(organisationId, mark, limit) {
    const rows = yield* all(
      `${selectRefusals} WHERE organisation_id = $organisation AND ${ended}
        AND (transaction_id, sequence) > ${placeIn('refused_requests')}
      ORDER BY transaction_id, sequence LIMIT $limit`,
      { organisation: organisationId, bound: mark, limit },
    )
    return rows.map(foundRefusal)
  },
  sequenceAfter: null,
}
