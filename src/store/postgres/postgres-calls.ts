import { Pool } from 'pg'
import type { Operation } from '../operations/operation.ts'
import type { StoreCalls } from '../records/store-calls.ts'
import type { ArgsOf, OperationName, ResultOf } from '../sqlite/operations/operations.ts'
import { StoreFailure, StoreUnavailable } from '../store-failure.ts'
import { connectionOptions, type PostgresOptions } from './connection-options.ts'
import type { PostgresOperations } from './postgres-operations.ts'
import { reasonOf } from './reason-of.ts'
import { Unreachable } from './run-query.ts'
import { createTransactions, type Transactions } from './transactions.ts'

const defaultPoolSize = 10
const defaultStatementTimeoutMs = 10_000
/** Beyond the server's own time-out of a statement: the connection itself has failed. */
const graceMs = 5_000

/** Runs operations on a pool of connections. */
export class PostgresCalls implements StoreCalls {
  readonly #pool: Pool
  readonly #transactions: Transactions
  readonly #operations: PostgresOperations
  readonly #running = new Set<Promise<unknown>>()
  #closed: Promise<void> | null = null

  constructor(options: PostgresOptions, operations: PostgresOperations) {
    this.#operations = operations
    const { poolSize = defaultPoolSize, statementTimeoutMs = defaultStatementTimeoutMs } = options
    this.#pool = new Pool({
      ...connectionOptions(options.url),
      max: poolSize,
      query_timeout: statementTimeoutMs + graceMs,
    })
    // An idle connection broke: the pool has removed it already, and opens another when it needs one.
    this.#pool.on('error', () => {})
    // The pool does not listen to a connection in use. Its statement is rejected; without a listener the process would end.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
    this.#transactions = createTransactions(this.#pool, statementTimeoutMs)
  }

  call<Name extends OperationName>(name: Name, ...args: ArgsOf[Name]): Promise<ResultOf[Name]> {
    return this.run(name, this.#operations[name], ...args)
  }

  /** The name is for the line of a failure. */
  async run<Args extends unknown[], Result>(
    name: string,
    operation: Operation<Args, Result>,
    ...args: Args
  ): Promise<Result> {
    if (this.#closed !== null) throw new StoreFailure('The store is closed.')
    const running = this.#transactions.run(operation, args)
    this.#running.add(running)
    try {
      return await running
    } catch (error) {
      const Failure = error instanceof Unreachable ? StoreUnavailable : StoreFailure
      throw new Failure(`The store could not ${name}: ${reasonOf(error)}`, { cause: error })
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
    await this.#pool.end()
  }
}
