import { Pool, type PoolConfig } from 'pg'
import { failureReason } from '../failure-reason.ts'
import type { Operation } from '../operations/operation.ts'
import type { StoreCalls } from '../records/store-calls.ts'
import type { ArgsOf, OperationName, ResultOf } from '../sqlite/operations/operations.ts'
import { isSearch } from '../sqlite/operations/searches.ts'
import { StoreFailure, StoreUnavailable } from '../store-failure.ts'
import { type Availability, createAvailability } from './availability.ts'
import { connectionOptions, type PostgresOptions } from './connection-options.ts'
import { isPassing } from './is-passing.ts'
import type { PostgresOperations } from './postgres-operations.ts'
import { Unreachable } from './run-query.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'
import { createTextVacuum, type TextVacuum } from './text-vacuum.ts'
import { createTransactions, type Transactions } from './transactions.ts'

const defaultPoolSize = 10
/** Limits how long a plan made for a small table is used if PostgreSQL does not update the statistics of that table. */
const maxLifetimeSeconds = 1_800
export const defaultStatementTimeoutMs = 10_000
/** Beyond the server's own time-out of a statement: the connection itself has failed. */
const graceMs = 5_000

/** The share of the connections that searches have to themselves, so that no reservation waits for them. */
const searchShare = 1 / 3

/** Runs operations on pools of connections. */
export class PostgresCalls implements StoreCalls {
  readonly #pools: Pool[] = []
  readonly #transactions: Transactions
  readonly #searches: Transactions
  readonly #operations: PostgresOperations
  readonly #availability: Availability
  readonly #vacuum: TextVacuum
  readonly #running = new Set<Promise<unknown>>()
  #closed: Promise<void> | null = null

  constructor(
    options: PostgresOptions,
    operations: PostgresOperations,
    names: StatementNames = createStatementNames(false),
  ) {
    this.#operations = operations
    this.#availability = createAvailability(connectionOptions(options.url))
    this.#vacuum = createTextVacuum(options)
    const { poolSize = defaultPoolSize, statementTimeoutMs = defaultStatementTimeoutMs } = options
    const open = (max: number): Transactions => {
      const pool = openPool({
        ...{ ...connectionOptions(options.url), max, maxLifetimeSeconds },
        query_timeout: statementTimeoutMs + graceMs,
      })
      this.#pools.push(pool)
      return createTransactions(pool, { statementTimeoutMs, names, onTextDeleted: this.#vacuum.deleted })
    }
    const searchSize = poolSize === 1 ? 0 : Math.max(1, Math.floor(poolSize * searchShare))
    this.#transactions = open(poolSize - searchSize)
    this.#searches = searchSize === 0 ? this.#transactions : open(searchSize)
  }

  call<Name extends OperationName>(name: Name, ...args: ArgsOf[Name]): Promise<ResultOf[Name]> {
    return this.#run(isSearch(name) ? this.#searches : this.#transactions, name, this.#operations[name], args)
  }

  /** The name is for the line of a failure. */
  run<Args extends unknown[], Result>(
    name: string,
    operation: Operation<Args, Result>,
    ...args: Args
  ): Promise<Result> {
    return this.#run(this.#transactions, name, operation, args)
  }

  async #run<Args extends unknown[], Result>(
    transactions: Transactions,
    name: string,
    operation: Operation<Args, Result>,
    args: Args,
  ): Promise<Result> {
    if (this.#closed !== null) throw new StoreFailure('The store is closed.')
    if (this.#availability.isAway) throw new StoreUnavailable(`The store could not ${name}: it cannot be reached.`)
    const running = transactions.run(operation, args)
    this.#running.add(running)
    try {
      return await running
    } catch (error) {
      const isUnreachable = error instanceof Unreachable
      if (isUnreachable) this.#availability.examine()
      const Failure = isUnreachable || isPassing(error) ? StoreUnavailable : StoreFailure
      throw new Failure(`The store could not ${name}: ${failureReason(error)}`, { cause: error })
    } finally {
      this.#running.delete(running)
    }
  }

  /** Finishes what was asked before. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running)
    this.#availability.close()
    await this.#vacuum.close()
    await Promise.all(this.#pools.map((pool) => pool.end()))
  }
}

const openPool = (options: PoolConfig): Pool => {
  const pool = new Pool(options)
  // An idle connection broke: the pool has removed it already, and opens another when it needs one.
  pool.on('error', () => {})
  // The pool does not listen to a connection in use. Its statement is rejected; without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
