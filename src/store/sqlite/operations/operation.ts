import type { DatabaseSync } from 'node:sqlite'

/** A named operation of the store thread. Writes are durable before they are answered. */
export type Operation<Args extends unknown[], Result> = {
  readonly writes: boolean
  readonly run: (db: DatabaseSync, ...args: Args) => Result
}

type Run<Args extends unknown[], Result> = Operation<Args, Result>['run']

export const read = <Args extends unknown[], Result>(run: Run<Args, Result>): Operation<Args, Result> => ({
  writes: false,
  run,
})

export const write = <Args extends unknown[], Result>(run: Run<Args, Result>): Operation<Args, Result> => ({
  writes: true,
  run,
})
