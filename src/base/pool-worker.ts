import type { Transferable } from 'node:worker_threads'
import type { Clock } from './clock.ts'
import type { FromWorker } from './serve-jobs.ts'
import type { WorkerChannel, WorkerEvents } from './worker-channel.ts'
import { WorkerPoolFailure } from './worker-pool-failure.ts'

export type PoolWorkerOptions = {
  /** Starts the thread or process, whose file calls `serveJobs`. */
  open: (events: WorkerEvents) => WorkerChannel
  name: string
  /** Limit for one job, excluding the start of the thread. */
  timeoutMs: number
  clock: Clock
}

/** Time limit for the start of a thread or process. */
const startTimeoutMs = 60_000

/**
 * One thread or process of a pool, which runs one job at a time. It starts with its first job and is terminated if a job
 * exceeds its time limit.
 */
export class PoolWorker {
  readonly #options: PoolWorkerOptions
  readonly #worker: WorkerChannel
  readonly #exited = Promise.withResolvers<void>()
  #ready = false
  #current: PromiseWithResolvers<unknown> | null = null
  #stopTimer = (): void => {}

  constructor(options: PoolWorkerOptions) {
    this.#options = options
    this.#worker = options.open({
      onMessage: (message) => this.#receive(asFromWorker(message)),
      onFailure: (reason) => this.#end('crashed', reason),
      onExit: (reason) => {
        this.#end('crashed', reason)
        this.#exited.resolve()
      },
    })
    this.#worker.unref()
  }

  /** Resolves when the thread has exited. */
  get exited(): Promise<void> {
    return this.#exited.promise
  }

  /** Rejects with a `WorkerPoolFailure`; after every kind except `failed`, the thread ends. */
  run(job: unknown, transfer: readonly Transferable[]): Promise<unknown> {
    const current = Promise.withResolvers<unknown>()
    this.#current = current
    this.#worker.ref()
    try {
      this.#worker.post(job, transfer)
      this.#startTimer()
    } catch (error) {
      // The job cannot be cloned, so it never reached the thread.
      this.#settle(({ reject }) => reject(new WorkerPoolFailure('failed', String(error))))
    }
    return current.promise
  }

  close(): Promise<void> {
    this.#end('closed', 'the pool is closed')
    return this.#exited.promise
  }

  #receive(message: FromWorker): void {
    if (message.type === 'ready') {
      this.#ready = true
      if (this.#current !== null) this.#startTimer()
    } else if (message.type === 'result') this.#settle(({ resolve }) => resolve(message.value))
    else this.#settle(({ reject }) => reject(new WorkerPoolFailure('failed', message.reason)))
  }

  #startTimer(): void {
    this.#stopTimer()
    const current = this.#current
    const limitMs = this.#ready ? this.#options.timeoutMs : startTimeoutMs
    this.#stopTimer = this.#options.clock.after(limitMs, () => {
      // A result may have arrived while this event loop was busy: process it first.
      setImmediate(() => {
        if (this.#current !== current) return
        if (this.#ready) this.#end('timeout', `the job ran for more than ${limitMs} ms`)
        else this.#end('not_started', `it did not start within ${limitMs} ms`)
      })
    })
  }

  #end(kind: 'timeout' | 'not_started' | 'crashed' | 'closed', reason: string): void {
    this.#settle(({ reject }) => reject(new WorkerPoolFailure(kind, `${this.#options.name}: ${reason}`)))
    this.#worker.terminate()
  }

  #settle(deliver: (current: PromiseWithResolvers<unknown>) => void): void {
    this.#stopTimer()
    const current = this.#current
    this.#current = null
    this.#worker.unref()
    if (current !== null) deliver(current)
  }
}

/** Safe because the file calls `serveJobs`, which sends nothing else. */
const asFromWorker = (message: unknown): FromWorker => message as FromWorker
