import type { DatabaseSync } from 'node:sqlite'
import type { LedgerRow } from '../../../ledger-contract.ts'
import { ledgerRow, selectLedgerRows } from '../../../operations/ledger/ledger-row.ts'
import { integer } from '../../../operations/row.ts'
import { prepared } from '../../database/prepared.ts'

export const findLedgerRow = (db: DatabaseSync, requestId: string): LedgerRow | null => {
  const row = prepared(db, `${selectLedgerRows} WHERE reserved.request_id = ?`).get(requestId)
  return row === undefined ? null : ledgerRow(row)
}

/** What was reserved since has ended since, or is still open: the two are found without reading the ledger. */
export const listLedgerSince = (db: DatabaseSync, createdAt: number): LedgerRow[] =>
  prepared(
    db,
    `${selectLedgerRows} WHERE reserved.sequence IN (
      SELECT reservation FROM ledger_settlements WHERE ended_at >= $since
      UNION ALL
      SELECT reservation FROM ledger_open JOIN ledger_reservations ON sequence = reservation WHERE created_at >= $since
    ) ORDER BY reserved.sequence`,
  )
    .all({ since: createdAt })
    .map(ledgerRow)

type ListFilter = { organisationId: string | null; before: string | null; limit: number }

export const listLedger = (db: DatabaseSync, { organisationId, before, limit }: ListFilter): LedgerRow[] => {
  const bound = before === null ? Number.MAX_SAFE_INTEGER : sequenceOf(db, organisationId, before)
  if (bound === null) return []
  const sequences = organisationId === null ? newestOfAll(db, bound, limit) : newestOf(db, organisationId, bound, limit)
  return sequences.flatMap((sequence) => rowOfSequence(db, sequence) ?? [])
}

export const rowOfSequence = (db: DatabaseSync, sequence: number): LedgerRow | null => {
  const row = prepared(db, `${selectLedgerRows} WHERE reserved.sequence = ?`).get(sequence)
  return row === undefined ? null : ledgerRow(row)
}

/** Many at once cost less than half of what they cost one by one. Those that are not there any more are left out. */
export const rowsOfSequences = (db: DatabaseSync, sequences: readonly number[]): Map<number, LedgerRow> => {
  const find = `${selectLedgerRows} WHERE reserved.sequence IN (SELECT value FROM json_each(?))`
  const rows = sequences.length === 0 ? [] : prepared(db, find).all(JSON.stringify(sequences))
  return new Map(rows.map((row) => [integer(row, 'sequence'), ledgerRow(row)]))
}

/** Another organisation's request is as unknown as one that never was. */
const sequenceOf = (db: DatabaseSync, organisationId: string | null, requestId: string): number | null => {
  const find = `SELECT sequence FROM ledger_reservations JOIN ledger_parties AS parties ON parties.id = party
    WHERE request_id = $request AND ($organisation IS NULL OR organisation_id = $organisation)`
  const row = prepared(db, find).get({ request: requestId, organisation: organisationId })
  return row === undefined ? null : integer(row, 'sequence')
}

const newestOfAll = (db: DatabaseSync, bound: number, limit: number): number[] =>
  prepared(db, 'SELECT sequence FROM ledger_reservations WHERE sequence < ? ORDER BY sequence DESC LIMIT ?')
    .all(bound, limit)
    .map((row) => integer(row, 'sequence'))

/** The newest of each of its keys, merged: SQLite itself would read and sort all that the organisation ever asked. */
const newestOf = (db: DatabaseSync, organisationId: string, bound: number, limit: number): number[] =>
  newestOfCallers(db, callersOf(db, organisationId), bound, limit)

export const newestOfCallers = (
  db: DatabaseSync,
  callers: readonly number[],
  bound: number,
  limit: number,
): number[] => {
  const newest = prepared(
    db,
    'SELECT sequence FROM ledger_reservations WHERE party = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?',
  )
  return callers
    .flatMap((caller) => newest.all(caller, bound, limit))
    .map((row) => integer(row, 'sequence'))
    .sort((one, two) => two - one)
    .slice(0, limit)
}

/** An organisation's own numbers in the ledger: one for each key, and one for the playground, which has none. */
export const callersOf = (db: DatabaseSync, organisationId: string, keyId?: string | null): number[] => {
  const ofKey = keyId === undefined ? '' : 'AND key_id IS $key'
  return prepared(db, `SELECT id FROM ledger_parties WHERE organisation_id = $organisation ${ofKey}`)
    .all({ organisation: organisationId, ...(keyId === undefined ? {} : { key: keyId }) })
    .map((row) => integer(row, 'id'))
}
