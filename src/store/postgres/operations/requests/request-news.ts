import { selectLedgerRows } from '../../../operations/ledger/ledger-row.ts'
import { all, type Query } from '../../../operations/query.ts'
import { integer } from '../../../operations/row.ts'
import type { LoggedRequest, RequestMark } from '../../../request-log-contract.ts'
import { jsonText } from '../ledger/json-text.ts'
import { callersOf, type FoundRow, foundRow, ofEach } from '../ledger/ledger.ts'
import { oldestRunning } from '../ledger/transaction-ids.ts'
import { newestRefusal, refusalsAfter } from './refusals.ts'

const ended = `transaction_id < ${oldestRunning}`

/** What transactions that still run will add comes after the mark. */
export function* markRequests(organisationId: string): Query<RequestMark> {
  const callers = jsonText(yield* callersOf(organisationId))
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

/** A mark comes from outside: requests of another organisation in it are ignored. */
export function* listRequestNews(
  organisationId: string,
  mark: RequestMark,
  limit: number,
): Query<{ rows: LoggedRequest[]; mark: RequestMark }> {
  const seen = yield* rowsOf(mark.open)
  const begun = yield* oldestAfter(yield* callersOf(organisationId), mark.newest, limit)
  const rows: LoggedRequest[] = []
  const open: number[] = []
  const look = ({ sequence, row }: FoundRow, isNew: boolean): void => {
    if (row.organisationId !== organisationId) return
    if (row.settlement === null) open.push(sequence)
    if (isNew || row.settlement !== null) rows.push(row)
  }
  for (const found of seen) look(found, false)
  for (const found of begun) look(found, true)
  const refused = yield* refusalsAfter(organisationId, mark.refused, limit)
  for (const { row } of refused) rows.push(row)
  const reached = { newest: begun.at(-1)?.sequence ?? mark.newest, refused: refused.at(-1)?.sequence ?? mark.refused }
  return { rows, mark: { ...reached, open } }
}

function* rowsOf(sequences: readonly number[]): Query<FoundRow[]> {
  if (sequences.length === 0) return []
  const rows = yield* all(
    `${selectLedgerRows} WHERE reserved.sequence IN (
      SELECT id::bigint FROM jsonb_array_elements_text(CAST(? AS jsonb)) AS wanted (id)
    ) ORDER BY reserved.transaction_id, reserved.sequence`,
    jsonText(sequences),
  )
  return rows.map(foundRow)
}

function* oldestAfter(callers: readonly number[], newest: number, limit: number): Query<FoundRow[]> {
  const after = `(transaction_id, sequence) > (SELECT coalesce(max(transaction_id), -1), coalesce(max(sequence), 0) FROM (
      SELECT transaction_id, sequence FROM ledger_reservations WHERE sequence <= $newest ORDER BY sequence DESC LIMIT 1
    ) AS place)`
  const order = 'ORDER BY transaction_id, sequence LIMIT $limit'
  const rows = yield* all(
    `${selectLedgerRows} WHERE reserved.sequence IN (
      ${ofEach(`SELECT sequence FROM ledger_reservations WHERE ${ended} AND ${after}`, order)}
    ) ORDER BY reserved.transaction_id, reserved.sequence LIMIT $limit`,
    { callers: jsonText(callers), newest, limit },
  )
  return rows.map(foundRow)
}
