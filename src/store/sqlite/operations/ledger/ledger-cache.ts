import type { DatabaseSync } from 'node:sqlite'
import { integer, text } from '../../../operations/row.ts'
import { prepared } from '../../database/prepared.ts'

export type OpenRequest = { readonly sequence: number; readonly caller: number; readonly model: string }

/** Requests without a settlement, by request id, in the order in which they were reserved. All of them. */
export type OpenRequests = {
  readonly byId: Map<string, OpenRequest>
  /** The newest reservation. */
  lastSequence: number
  /** Every reservation up to this one is settled, as the database has it. */
  settledUpTo: number
}

/** What the store thread knows about the ledger without a query. */
type LedgerCache = { readonly callers: Map<string, number>; open: OpenRequests | null }

const maxCallers = 10_000
const caches = new WeakMap<DatabaseSync, LedgerCache>()

const findCache = (db: DatabaseSync): LedgerCache => {
  let cache = caches.get(db)
  if (cache === undefined) {
    cache = { callers: new Map(), open: null }
    caches.set(db, cache)
  }
  return cache
}

/** The number of each caller in the ledger, by organisation and key. */
export const cachedCallers = (db: DatabaseSync): Map<string, number> => {
  const { callers } = findCache(db)
  if (callers.size > maxCallers) callers.clear()
  return callers
}

export const findOpenRequests = (db: DatabaseSync): OpenRequests => {
  const cache = findCache(db)
  cache.open ??= loadOpenRequests(db)
  return cache.open
}

const loadOpenRequests = (db: DatabaseSync): OpenRequests => {
  const open = `SELECT sequence, request_id, party, model FROM ledger_open
    JOIN ledger_reservations ON sequence = reservation ORDER BY sequence`
  const ends = `SELECT (SELECT up_to FROM ledger_settled) AS settled,
    (SELECT coalesce(max(sequence), 0) FROM ledger_reservations) AS last`
  const row = prepared(db, ends).get() ?? {}
  return {
    byId: new Map(
      prepared(db, open)
        .all()
        .map((row) => [
          text(row, 'request_id'),
          { sequence: integer(row, 'sequence'), caller: integer(row, 'party'), model: text(row, 'model') },
        ]),
    ),
    lastSequence: integer(row, 'last'),
    settledUpTo: integer(row, 'settled'),
  }
}

export const clearCachedCallers = (db: DatabaseSync): void => findCache(db).callers.clear()

/** Call it whenever a write is rolled back: the cache may refer to rows that no longer exist. */
export const clearLedgerCache = (db: DatabaseSync): void => {
  caches.delete(db)
}
