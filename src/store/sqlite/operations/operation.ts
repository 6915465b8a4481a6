import type { DatabaseSync } from 'node:sqlite'
import type { Operation } from '../../operations/operation.ts'

/** What the store thread can be asked for: an operation for every database, or one that is for SQLite alone. */
export type SqliteOperation<Args extends unknown[], Result> = Operation<Args, Result> | DirectOperation<Args, Result>

/** One that uses the database directly, because it must be fast or keeps a cache. */
type DirectOperation<Args extends unknown[], Result> = {
  readonly writes: boolean
  readonly isEvicting?: boolean
  readonly run: (db: DatabaseSync, ...args: Args) => Result
}

type Run<Args extends unknown[], Result> = DirectOperation<Args, Result>['run']

export const directWrite = <Args extends unknown[], Result>(run: Run<Args, Result>): DirectOperation<Args, Result> => ({
  writes: true,
  run,
})
