import { findCallers } from '../../../operations/ledger/ledger.ts'
import { all, first, type Query } from '../../../operations/query.ts'
import { integer } from '../../../operations/row.ts'
import type { RequestMark } from '../../../request-log-contract.ts'
import { jsonText } from '../ledger/json-text.ts'
import { ended, ofEach } from './request-reads.ts'

/** What transactions that still run will add comes after the mark. */
export function* markRequests(organisationId: string): Query<RequestMark> {
  const callers = jsonText(yield* findCallers(organisationId))
  const order = 'ORDER BY transaction_id DESC, sequence DESC LIMIT 1'
  const [newest] = yield* all(
    `SELECT sequence FROM ledger_reservations WHERE sequence IN (
      ${ofEach(`SELECT sequence FROM ledger_reservations WHERE ${ended}`, order)}
    ) ${order}`,
    { callers },
  )
  const open = yield* all(
    `SELECT sequence FROM ledger_reservations AS reserved
      WHERE party IN (SELECT id::bigint FROM jsonb_array_elements_text(CAST($callers AS jsonb)) AS caller (id))
        AND transaction_id >= (SELECT coalesce(min(settled_before), 0) FROM ledger_nodes) AND ${ended}
        AND NOT EXISTS (SELECT 1 FROM ledger_settlements WHERE reservation = reserved.sequence)
      ORDER BY transaction_id, sequence`,
    { callers },
  )
  return {
    newest: newest === undefined ? 0 : integer(newest, 'sequence'),
    refused: yield* newestRefusal(organisationId),
    open: open.map((row) => integer(row, 'sequence')),
  }
}

function* newestRefusal(organisationId: string): Query<number> {
  const row = yield* first(
    `SELECT sequence FROM refused_requests WHERE organisation_id = ? AND ${ended}
    ORDER BY transaction_id DESC, sequence DESC LIMIT 1`,
    organisationId,
  )
  return row === undefined ? 0 : integer(row, 'sequence')
}
