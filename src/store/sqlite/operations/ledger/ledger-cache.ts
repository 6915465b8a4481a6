import type { DatabaseSync } from 'node:sqlite'

export type OpenRequest = { sequence: number; caller: number; model: string }

/** What the thread knows of the ledger without asking for it. */
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

/** The number in the ledger of each organisation and key, by both names. */
export const cachedCallers = (db: DatabaseSync): Map<string, number> => {
  const { callers } = cacheOf(db)
  if (callers.size > maxCallers) callers.clear()
  return callers
}

/** By request id: those that were reserved here and are not settled yet. */
export const cachedOpenRequests = (db: DatabaseSync): Map<string, OpenRequest> => cacheOf(db).open

/** To be called whenever a write is undone: what is remembered may be of rows that never came to be. */
export const clearLedgerCache = (db: DatabaseSync): void => {
  caches.delete(db)
}
