import type { DatabaseSync } from 'node:sqlite'

/** One named thing the store thread can do. What writes is made durable before it is answered. */
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
