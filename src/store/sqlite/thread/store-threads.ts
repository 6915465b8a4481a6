import type { StoreCalls } from '../../records/store-calls.ts'
import { StoreFailure } from '../../store-failure.ts'
import type { DatabaseOptions } from '../database/open-database.ts'
import type { Migrated } from '../migrate.ts'
import type { ArgsOf, OperationName, ResultOf } from '../operations/operations.ts'
import { isSearch } from '../operations/searches.ts'
import { StoreThread } from './store-thread.ts'
import { startSearchWorker, startStoreWorker } from './store-workers.ts'
import { openWalCheckpoints, type WalCheckpoints } from './wal-checkpoints.ts'

/** The thread that writes, and beside it one for searches, from the first search on, and one for checkpoints of the WAL. */
export class StoreThreads implements StoreCalls {
  readonly #options: DatabaseOptions
  readonly #store: StoreThread
  readonly #checkpoints: WalCheckpoints
  readonly #failed = Promise.withResolvers<Error>()
  #searches: Promise<StoreThread> | null = null
  readonly #running = new Set<Promise<unknown>>()
  #isClosed = false

  private constructor(options: DatabaseOptions, store: StoreThread, checkpoints: WalCheckpoints) {
    this.#options = options
    this.#store = store
    this.#checkpoints = checkpoints
    void store.failed.then(this.#failed.resolve)
  }

  /** Rejects with the reason if the database cannot be opened. */
  static async open(options: DatabaseOptions): Promise<StoreThreads> {
    const checkpoints = openWalCheckpoints(options.file, options.ledgerSyncDelayMs)
    const store = await StoreThread.over(startStoreWorker(options), checkpoints.committed)
    return new StoreThreads(options, store, checkpoints)
  }

  /** Resolves if a thread ends without having been closed. */
  get failed(): Promise<Error> {
    return this.#failed.promise
  }

  get migrated(): Migrated | null {
    return this.#store.migrated
  }

  get commits(): number {
    return this.#store.commits
  }

  readonly call: StoreThread['call'] = (name, ...args) => {
    if (this.#isClosed) return Promise.reject(new StoreFailure('The store is closed.'))
    if (!isSearch(name)) return this.#store.call(name, ...args)
    const search = this.#search(name, ...args)
    this.#running.add(search)
    const done = (): boolean => this.#running.delete(search)
    search.then(done, done)
    return search
  }

  /** The others first: only the last connection to close can empty the write-ahead log, and that of the searches only reads. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#running)
    await (await this.#searches)?.close()
    await this.#checkpoints.close()
    await this.#store.close()
  }

  /** What was written before is found, although another thread writes it. */
  async #search<Name extends OperationName>(name: Name, ...args: ArgsOf[Name]): Promise<ResultOf[Name]> {
    await this.#store.caughtUp()
    this.#searches ??= this.#startSearches()
    const searches = await this.#searches
    return searches.call(name, ...args)
  }

  async #startSearches(): Promise<StoreThread> {
    try {
      const thread = await StoreThread.over(startSearchWorker(this.#options))
      void thread.failed.then(this.#failed.resolve)
      return thread
    } catch (error) {
      // The next search tries again.
      this.#searches = null
      throw error
    }
  }
}
