import type { Worker } from 'node:worker_threads'
import { StoreFailure } from '../../store-failure.ts'
import type { Migrated } from '../migrate.ts'
import type { ArgsOf, OperationName, ResultOf } from '../operations/operations.ts'
import type { Call, FromThread, ToThread } from './messages.ts'
import { createPendingCalls } from './pending-calls.ts'
import type { JobResult } from './run-batch.ts'
import { keepWorker } from './store-workers.ts'

/**
 * One message with calls is executed and another waits for that to end, so that the thread never waits for this one. More would be
 * executed later anyway: they are collected, and what they cost is shared.
 */
const maxUntaken = 2

type Pending = { name: OperationName; resolve: (value: unknown) => void; reject: (reason: StoreFailure) => void }

/** The main thread's end of the store thread: calls by name, results as promises. */
export class StoreThread {
  readonly #worker: Worker
  readonly #opened = Promise.withResolvers<Migrated | null>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #pending = createPendingCalls<Pending>()
  /** Callers that wait for all calls up to one of them, the earliest first. */
  readonly #waiting: { id: number; resolve: () => void }[] = []
  /**
   * Calls that go as one message: those of this turn, and earlier ones if enough messages are on their way. It has no bound of its
   * own: each is one of `#pending`, whose caller waits for the result before it makes another. So there are never more than
   * callers, which are requests in flight and jobs, and a thread that is behind has them wait instead of making them more.
   */
  #unsent: Call<OperationName>[] = []
  #isSending = false
  /** Messages with calls, and how many of them the thread has taken. */
  #sent = 0
  #taken = 0
  #lastId = 0
  #commits = 0
  #migrated: Migrated | null = null
  #stopped: StoreFailure | null = null
  readonly #failed = Promise.withResolvers<StoreFailure>()
  readonly #onCommits: (commits: number) => void

  private constructor(worker: Worker, onCommits: (commits: number) => void) {
    this.#worker = worker
    this.#onCommits = onCommits
    worker.on('message', this.#onMessage).on('error', this.#onError).on('exit', this.#onExit)
  }

  readonly #onMessage = (message: unknown): void => this.#receive(asFromThread(message))
  readonly #onError = (error: Error): void => this.#stop(`The store thread failed: ${error.message}`)
  readonly #onExit = (): void => {
    this.#stop('The store thread stopped unexpectedly.')
    this.#ended.resolve()
  }

  /** The database is closed, and the worker can open another one. */
  #release(): void {
    this.#worker.off('message', this.#onMessage).off('error', this.#onError).off('exit', this.#onExit)
    keepWorker(this.#worker)
    this.#ended.resolve()
  }

  /** Rejects with the reason if the thread cannot open the database. `onCommits` gets the number of commits so far. */
  static async over(worker: Worker, onCommits: (commits: number) => void = () => {}): Promise<StoreThread> {
    const thread = new StoreThread(worker, onCommits)
    thread.#migrated = await thread.#opened.promise
    return thread
  }

  /** What opening the database did to its schema. */
  get migrated(): Migrated | null {
    return this.#migrated
  }

  /** Resolves if the thread ends without having been closed. */
  get failed(): Promise<StoreFailure> {
    return this.#failed.promise
  }

  /** How many transactions were committed, up to the last answer. */
  get commits(): number {
    return this.#commits
  }

  call<Name extends OperationName>(name: Name, ...args: ArgsOf[Name]): Promise<ResultOf[Name]> {
    if (this.#stopped !== null) return Promise.reject(this.#stopped)
    return new Promise((resolve, reject) => {
      this.#lastId += 1
      this.#sendSoon()
      const call: Call<Name> = { id: this.#lastId, name, args }
      this.#unsent.push(call)
      this.#pending.add({ name, resolve: (value) => resolve(asResultOf<Name>(value)), reject })
    })
  }

  /** Resolves once every call made so far has been answered, or the thread has ended. */
  caughtUp(): Promise<void> {
    if (this.#pending.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ id: this.#lastId, resolve }))
  }

  async close(): Promise<void> {
    if (this.#stopped === null) {
      this.#stopped = new StoreFailure('The store is closed.')
      this.#send()
      this.#worker.postMessage('close' satisfies ToThread)
    }
    await this.#ended.promise
  }

  #sendSoon(): void {
    if (this.#isSending || this.#sent - this.#taken >= maxUntaken) return
    this.#isSending = true
    queueMicrotask(() => {
      this.#isSending = false
      this.#send()
    })
  }

  #send(): void {
    const calls = this.#unsent
    this.#unsent = []
    if (calls.length === 0) return
    try {
      this.#worker.postMessage(calls satisfies ToThread)
      this.#sent += 1
    } catch (error) {
      // Arguments that cannot be copied are a mistake in the program: only their own call fails.
      for (const { id } of calls) this.#settle({ id, ok: false, reason: String(error) })
      this.#notifyCaughtUp()
    }
  }

  #receive(message: FromThread): void {
    if (message.type === 'opened') {
      this.#opened.resolve(message.migrated)
    } else if (message.type === 'refused') {
      this.#opened.reject(new StoreFailure(message.reason))
      this.#release()
    } else if (message.type === 'closed') {
      this.#release()
    } else if (message.type === 'damaged') {
      this.#stop(message.reason)
    } else {
      this.#commits = message.commits
      this.#taken = message.taken
      if (this.#unsent.length > 0) this.#sendSoon()
      for (const answer of message.answers) this.#settle(answer)
      this.#notifyCaughtUp()
      this.#onCommits(message.commits)
    }
  }

  /** Calls are answered in the order in which they were made. */
  #notifyCaughtUp(): void {
    if (this.#waiting.length === 0) return
    const { oldestId } = this.#pending
    const due = this.#waiting.findIndex(({ id }) => id >= oldestId)
    for (const { resolve } of this.#waiting.splice(0, due === -1 ? this.#waiting.length : due)) resolve()
  }

  #settle(answer: JobResult): void {
    const pending = this.#pending.take(answer.id)
    if (pending === undefined) return
    if (answer.ok) pending.resolve(answer.value)
    else pending.reject(new StoreFailure(`The store could not ${pending.name}: ${answer.reason}`))
  }

  #stop(reason: string): void {
    if (this.#stopped === null) {
      this.#stopped = new StoreFailure(reason)
      this.#failed.resolve(this.#stopped)
    }
    this.#opened.reject(this.#stopped)
    for (const { reject } of this.#pending.takeAll()) reject(new StoreFailure(reason))
    this.#notifyCaughtUp()
  }
}

/** True because only `thread.ts` has the other end, and it sends nothing else. */
const asFromThread = (message: unknown): FromThread => message as FromThread

/** True because the thread answers a call with what the operation of that name returned, and records clone whole. */
const asResultOf = <Name extends OperationName>(value: unknown): ResultOf[Name] => value as ResultOf[Name]
