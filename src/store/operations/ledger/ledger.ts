import type { LedgerRow } from '../../ledger-contract.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, type Row, text } from '../row.ts'
import { ledgerRow, selectLedgerRows } from './ledger-row.ts'

export function* findLedgerRow(requestId: string): Query<LedgerRow | null> {
  const row = yield* first(`${selectLedgerRows} WHERE reserved.request_id = ?`, requestId)
  return row === undefined ? null : ledgerRow(row)
}

/** What was reserved since has ended since, or is still open: the two are found without reading the ledger. */
const since = (open: string): string => `${selectLedgerRows} WHERE reserved.sequence IN (
    SELECT reservation FROM ledger_settlements WHERE ended_at >= $since
    UNION ALL
    ${open}
  ) ORDER BY reserved.sequence`

/** SQLite has a mark below which nothing is open; PostgreSQL has one for each node, and an index of the times. */
const listSince = {
  sqlite: since(
    'SELECT reservation FROM ledger_open JOIN ledger_reservations ON sequence = reservation WHERE created_at >= $since',
  ),
  postgres: since(`SELECT sequence FROM ledger_reservations WHERE created_at >= $since
      AND NOT EXISTS (SELECT 1 FROM ledger_settlements WHERE reservation = sequence)`),
}

export function* listLedgerSince(createdAt: number): Query<LedgerRow[]> {
  return (yield* all(listSince, { since: createdAt })).map(ledgerRow)
}

export type FoundRow = { sequence: number; row: LedgerRow }

export const foundRow = (row: Row): FoundRow => ({ sequence: integer(row, 'sequence'), row: ledgerRow(row) })

/** A part of the ledger, newest first. */
export type NewestRows = (part: {
  /** Null: all. */
  callers: readonly number[] | null
  /** Rows before this sequence; `MAX_SAFE_INTEGER`: all. */
  bound: number
  limit: number
}) => Query<FoundRow[]>

type ListFilter = { organisationId: string | null; before: string | null; limit: number }

export const listLedger = (newestRows: NewestRows) =>
  function* ({ organisationId, before, limit }: ListFilter): Query<LedgerRow[]> {
    const bound = before === null ? Number.MAX_SAFE_INTEGER : yield* findSequence(organisationId, before)
    if (bound === null) return []
    const callers = organisationId === null ? null : yield* findCallers(organisationId)
    return (yield* newestRows({ callers, bound, limit })).map(({ row }) => row)
  }

/** Requests of other organisations are not found. */
function* findSequence(organisationId: string | null, requestId: string): Query<number | null> {
  const row = yield* first(
    `SELECT sequence, organisation_id FROM ledger_reservations JOIN ledger_parties AS parties ON parties.id = party
    WHERE request_id = ?`,
    requestId,
  )
  if (row === undefined || (organisationId !== null && text(row, 'organisation_id') !== organisationId)) return null
  return integer(row, 'sequence')
}

/** An organisation's own numbers in the ledger: one for each key, and one for the playground, which has none. */
export function* findCallers(organisationId: string, keyId?: string | null): Query<number[]> {
  const ofKey = keyId === undefined ? '' : 'AND key_id IS NOT DISTINCT FROM CAST($key AS TEXT)'
  const rows = yield* all(`SELECT id FROM ledger_parties WHERE organisation_id = $organisation ${ofKey}`, {
    organisation: organisationId,
    ...(keyId === undefined ? {} : { key: keyId }),
  })
  return rows.map((row) => integer(row, 'id'))
}

/** A settled request no longer needs its checkpoint. */
export function* pruneProgress(writtenBefore: number, limit: number): Query<number> {
  return yield* run(
    `DELETE FROM ledger_progress WHERE reservation IN (
      SELECT reservation FROM ledger_progress AS progress WHERE written_at < ?
        AND EXISTS (SELECT 1 FROM ledger_settlements AS settled WHERE settled.reservation = progress.reservation)
      ORDER BY reservation LIMIT ?
    )`,
    ...[writtenBefore, limit],
  )
}
