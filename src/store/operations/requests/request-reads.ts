import type { FoundRow, NewestRows } from '../ledger/ledger.ts'
import type { Query } from '../query.ts'
import type { FoundRefusal } from './refusals.ts'

/**
 * What each database reads with statements of its own. SQLite's sequences are in the order of commits; PostgreSQL has to
 * order rows by their transactions. PostgreSQL merges the newest requests of several callers in one statement, and SQLite,
 * which would read and sort all of them, has one statement for each caller.
 */
export type RequestReads = {
  newestRows: NewestRows
  /** Those that were reserved after the mark, oldest first. */
  rowsAfter(callers: readonly number[], mark: number, limit: number): Query<FoundRow[]>
  /** In the order in which they were reserved. Those that are not there any more are left out. */
  rowsAt(sequences: readonly number[]): Query<FoundRow[]>
  /** Newest first. `MAX_SAFE_INTEGER`: all. */
  refusalsBefore(organisationId: string, bound: number, limit: number): Query<FoundRefusal[]>
  /** Oldest first. */
  refusalsAfter(organisationId: string, mark: number, limit: number): Query<FoundRefusal[]>
  /**
   * A sequence above all requests from before a moment; null if none is known. PostgreSQL has no such search: clocks of
   * nodes differ.
   */
  sequenceAfter: ((moment: number) => Query<number | null>) | null
}
