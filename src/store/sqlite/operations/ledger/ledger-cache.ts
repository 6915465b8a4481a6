import type { DatabaseSync } from 'node:sqlite'

export type OpenRequest = { sequence: number; caller: number; model: string }

/** What the store thread knows about the ledger without a query. */
type LedgerCache = { callers: Map<string, number>; open: Map<string, OpenRequest> }

const maxCallers = 10_000
const caches = new WeakMap<DatabaseSync, LedgerCache>()

const cacheOf = (db: DatabaseSync): LedgerCache => {
  let cache = caches.get(db)
  if (cache === undefined) {
    cache = { callers: new Map(), open: new Map() }
    caches.set(db, cache)
  }
  return cache
}

/** The number of each caller in the ledger, by organisation and key. */
export const cachedCallers = (db: DatabaseSync): Map<string, number> => {
  const { callers } = cacheOf(db)
  if (callers.size > maxCallers) callers.clear()
  return callers
}

/** Requests that were reserved in this process and are not settled yet, by request id. */
export const cachedOpenRequests = (db: DatabaseSync): Map<string, OpenRequest> => cacheOf(db).open

/** Call it whenever a write is rolled back: the cache may refer to rows that no longer exist. */
export const clearLedgerCache = (db: DatabaseSync): void => {
  caches.delete(db)
}
