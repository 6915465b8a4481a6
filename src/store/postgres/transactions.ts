import { DatabaseError, type Pool, type PoolClient } from 'pg'
import type { Operation } from '../operations/operation.ts'
import type { Query, Signal } from '../operations/query.ts'
import { ConnectionLost, connectTo, execute, runQuery } from './run-query.ts'
import { isNameFailure, type StatementNames } from './statement-names.ts'

/** Serialisation failure and deadlock: transactions met, and this one was undone to be repeated. */
const undone = new Set(['40001', '40P01'])
const maxAttempts = 20
/** Of connections that broke while they were idle: the server was restarted, for example. */
const maxLost = 3
const maxPauseMs = 50

export interface Transactions {
  run<Args extends unknown[], Result>(operation: Operation<Args, Result>, args: Args): Promise<Result>
}

type TransactionsOptions = {
  statementTimeoutMs: number
  names: StatementNames
  /** Called once that is committed. */
  onTextDeleted(): void
}

/** Runs operations on connections of the pool, each in the transaction it asks for. */
export const createTransactions = (
  pool: Pool,
  { statementTimeoutMs, names, onTextDeleted }: TransactionsOptions,
): Transactions => {
  const begin = (mode: string): string => `BEGIN ${mode}; SET LOCAL statement_timeout = ${statementTimeoutMs}`
  const beginnings: Record<Operation<[], unknown>['transaction'], string | null> = {
    none: null,
    snapshot: begin('ISOLATION LEVEL REPEATABLE READ READ ONLY'),
    serialisable: begin('ISOLATION LEVEL SERIALIZABLE'),
    locking: begin('ISOLATION LEVEL READ COMMITTED'),
  }
  return {
    async run({ query, transaction, writes, isPrepared = false }, args) {
      const nameOf = isPrepared ? names.of : undefined
      let lost = 0
      for (let attempts = 1; ; attempts += 1)
        try {
          return await attempt(pool, { begin: beginnings[transaction], query: query(...args), nameOf, onTextDeleted })
        } catch (error) {
          if (attempts === maxAttempts) throw error
          if (hasDoneNothing(error, writes)) {
            lost += 1
            if (lost > maxLost) throw error
          } else if (isNameFailure(error)) {
            names.failed(error)
          } else if (writes && isUndone(error)) {
            await pause(Math.random() * Math.min(maxPauseMs, 2 ** attempts))
          } else throw error
        }
    },
  }
}

const isUndone = (error: unknown): boolean => error instanceof DatabaseError && undone.has(error.code ?? '')

const hasDoneNothing = (error: unknown, writes: boolean): boolean =>
  error instanceof NotBegun || (!writes && error instanceof ConnectionLost && !error.isTimeout)

/** The connection was lost before the transaction began. */
class NotBegun extends ConnectionLost {}

type Attempt<Result> = {
  begin: string | null
  query: Query<Result>
  nameOf: StatementNames['of'] | undefined
  onTextDeleted(): void
}

const attempt = async <Result>(pool: Pool, asked: Attempt<Result>): Promise<Result> => {
  const { begin, query, nameOf, onTextDeleted } = asked
  const client = await connectTo(pool)
  let hasDeletedText = false
  const onSignal = ({ signal }: Signal): void => {
    hasDeletedText ||= signal === 'texts_deleted'
  }
  try {
    const ask = (): Promise<Result> => runQuery(client, query, nameOf, onSignal)
    const result = begin === null ? await ask() : await inTransaction(client, begin, ask)
    client.release()
    if (hasDeletedText) onTextDeleted()
    return result
  } catch (error) {
    client.release(error instanceof ConnectionLost || isNameFailure(error) || isReadOnly(error))
    throw error
  }
}

/** A connection made during a failover can lead to a server that stays read-only: the next one may lead to the new primary. */
const isReadOnly = (error: unknown): boolean => error instanceof DatabaseError && error.code === '25006'

const inTransaction = async <Result>(
  client: PoolClient,
  begin: string,
  ask: () => Promise<Result>,
): Promise<Result> => {
  await execute(client, begin).catch((error: unknown) => {
    throw error instanceof ConnectionLost && !error.isTimeout ? new NotBegun(error.message, { cause: error }) : error
  })
  const result = await ask().catch(async (error: unknown) => {
    if (!(error instanceof ConnectionLost)) await execute(client, 'ROLLBACK')
    throw error
  })
  await execute(client, 'COMMIT')
  return result
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
