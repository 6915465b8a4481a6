import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../../database/prepared.ts'
import type { OpenRequests } from './ledger-cache.ts'

/** Written once for so many requests: each start looks at as many more. */
const step = 256

/** Requests were settled: moves the mark below the oldest open one. */
export const advanceSettled = (db: DatabaseSync, open: OpenRequests): void => {
  const [oldest] = open.byId.values()
  const upTo = oldest === undefined ? open.lastSequence : oldest.sequence - 1
  if (upTo - open.settledUpTo >= step) write(db, open, upTo)
}

/** Numbers begin again once the whole ledger has been pruned: what is reserved now must lie above the mark. */
export const keepAboveSettled = (db: DatabaseSync, open: OpenRequests, sequence: number): void => {
  if (sequence <= open.settledUpTo) write(db, open, sequence - 1)
}

const write = (db: DatabaseSync, open: OpenRequests, upTo: number): void => {
  prepared(db, 'UPDATE ledger_settled SET up_to = ?').run(upTo)
  open.settledUpTo = upTo
}
