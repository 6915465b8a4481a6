import type { Query } from './query.ts'

/** A named operation of the store, for every database. Writes are durable before they are answered. */
export type Operation<Args extends unknown[], Result> = {
  readonly writes: boolean
  /**
   * What PostgreSQL runs its statements in: each by itself, all in one snapshot, all in a serialisable transaction, which is
   * repeated if it met another, or in one that locks what it depends on. SQLite runs operations one after the other and needs
   * none of it.
   */
  readonly transaction: 'none' | 'snapshot' | 'serialisable' | 'locking'
  /** Whether PostgreSQL keeps the plans of its statements, for each connection. SQLite keeps all of them. */
  readonly isPrepared?: boolean
  /** Requests wait for it, so it is answered before the old texts that it may delete are erased from all files. */
  readonly isEvicting?: boolean
  readonly query: (...args: Args) => Query<Result>
}

type QueryOf<Args extends unknown[], Result> = Operation<Args, Result>['query']

/** A read of one statement, or of several that need not see the same snapshot. */
export const read = <Args extends unknown[], Result>(query: QueryOf<Args, Result>): Operation<Args, Result> => ({
  writes: false,
  transaction: 'none',
  query,
})

/** A read of several statements that see the same snapshot. */
export const snapshot = <Args extends unknown[], Result>(query: QueryOf<Args, Result>): Operation<Args, Result> => ({
  writes: false,
  transaction: 'snapshot',
  query,
})

export const write = <Args extends unknown[], Result>(query: QueryOf<Args, Result>): Operation<Args, Result> => ({
  writes: true,
  transaction: 'serialisable',
  query,
})

/**
 * A write that changes what others change all the time, and would be repeated too often. It locks what it depends on: each
 * statement sees what was committed before it.
 */
export const lockingWrite = <Args extends unknown[], Result>(
  query: QueryOf<Args, Result>,
): Operation<Args, Result> => ({
  writes: true,
  transaction: 'locking',
  query,
})

/** A write of one statement, which is atomic by itself. */
export const writeOnce = <Args extends unknown[], Result>(query: QueryOf<Args, Result>): Operation<Args, Result> => ({
  writes: true,
  transaction: 'none',
  query,
})

/** Requests wait for it. For statements whose best plan is the same whatever their values are. */
export const prepared = <Args extends unknown[], Result>(
  operation: Operation<Args, Result>,
): Operation<Args, Result> => ({ ...operation, isPrepared: true })

/** Deletes the oldest texts where there is no room for a new one, and requests wait for it. */
export const evicting = <Evicting extends { readonly writes: boolean }>(
  operation: Evicting,
): Evicting & { readonly isEvicting: true } => ({ ...operation, isEvicting: true })
