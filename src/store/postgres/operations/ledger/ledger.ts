import type { LedgerRow } from '../../../ledger-contract.ts'
import { ledgerRow, selectLedgerRows } from '../../../operations/ledger/ledger-row.ts'
import { all, first, type Query } from '../../../operations/query.ts'
import { integer, type Row, text } from '../../../operations/row.ts'
import { jsonText } from './json-text.ts'

export function* findLedgerRow(requestId: string): Query<LedgerRow | null> {
  const row = yield* first(`${selectLedgerRows} WHERE reserved.request_id = ?`, requestId)
  return row === undefined ? null : ledgerRow(row)
}

/** What was reserved since has ended since, or is still open: the two are found without reading the ledger. */
export function* listLedgerSince(createdAt: number): Query<LedgerRow[]> {
  const rows = yield* all(
    `${selectLedgerRows} WHERE reserved.sequence IN (
      SELECT reservation FROM ledger_settlements WHERE ended_at >= $since
      UNION ALL
      SELECT sequence FROM ledger_reservations WHERE created_at >= $since
        AND NOT EXISTS (SELECT 1 FROM ledger_settlements WHERE reservation = sequence)
    ) ORDER BY reserved.sequence`,
    { since: createdAt },
  )
  return rows.map(ledgerRow)
}

type ListFilter = { organisationId: string | null; before: string | null; limit: number }

export function* listLedger({ organisationId, before, limit }: ListFilter): Query<LedgerRow[]> {
  const bound = before === null ? Number.MAX_SAFE_INTEGER : yield* sequenceOf(organisationId, before)
  if (bound === null) return []
  const found = yield* newestRows({
    callers: organisationId === null ? null : yield* callersOf(organisationId),
    bound,
    limit,
  })
  return found.map(({ row }) => row)
}

/** Null if there is no such request, or it is not the organisation's. */
function* sequenceOf(organisationId: string | null, requestId: string): Query<number | null> {
  const row = yield* first(
    `SELECT sequence, organisation_id FROM ledger_reservations JOIN ledger_parties ON ledger_parties.id = party
     WHERE request_id = ?`,
    requestId,
  )
  if (row === undefined || (organisationId !== null && text(row, 'organisation_id') !== organisationId)) return null
  return integer(row, 'sequence')
}

/** Those of an organisation: one for each key, and one for the playground, which has none. */
export function* callersOf(organisationId: string, keyId?: string | null): Query<number[]> {
  const ofKey = keyId === undefined ? '' : 'AND key_id IS NOT DISTINCT FROM CAST($key AS text)'
  const rows = yield* all(`SELECT id FROM ledger_parties WHERE organisation_id = $organisation ${ofKey}`, {
    organisation: organisationId,
    ...(keyId === undefined ? {} : { key: keyId }),
  })
  return rows.map((row) => integer(row, 'id'))
}

export type FoundRow = { sequence: number; row: LedgerRow }

type Place = {
  /** Null: all. */
  callers: readonly number[] | null
  /** A sequence; `MAX_SAFE_INTEGER`: none. */
  bound: number
  limit: number
}

/** The position of a row, or of the one before it if it was pruned. */
const placeOf = `(SELECT transaction_id, sequence FROM ledger_reservations
  WHERE sequence <= $bound ORDER BY sequence DESC LIMIT 1)`

/** Before the bound, newest first: of each caller the newest, then the newest of those. */
export function* newestRows({ callers, bound, limit }: Place): Query<FoundRow[]> {
  const before =
    bound === Number.MAX_SAFE_INTEGER ? 'true' : `(transaction_id, sequence) <= ${placeOf} AND sequence <> $bound`
  const newest = `SELECT sequence FROM ledger_reservations WHERE ${before}`
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

/** PostgreSQL would sort all that the organisation ever asked. */
export const ofEach = (select: string, order: string): string =>
  `SELECT one.sequence FROM jsonb_array_elements_text(CAST($callers AS jsonb)) AS caller (id)
    CROSS JOIN LATERAL (${select} AND party = caller.id::bigint ${order}) AS one`

export const foundRow = (row: Row): FoundRow => ({ sequence: integer(row, 'sequence'), row: ledgerRow(row) })
