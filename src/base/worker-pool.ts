/**
 * Runs long jobs on threads that can be terminated: a job that exceeds its time limit ends with its thread, and the
 * next job gets a new one. With `processEnv` they run in processes instead. Serves tenants in turn, so that no tenant waits
 * behind all jobs of another, and limits the number of waiting jobs.
 */
import type { ResourceLimits, Transferable } from 'node:worker_threads'
import { type Clock, systemClock } from './clock.ts'
import { createFairQueue } from './fair-queue.ts'
import { openWorkerProcess } from './open-worker-process.ts'
import { openWorkerThread } from './open-worker-thread.ts'
import { PoolWorker } from './pool-worker.ts'
import { WorkerPoolFailure } from './worker-pool-failure.ts'

export type WorkerPoolOptions = {
  /** A file that calls `serveJobs` for jobs of this kind. */
  file: URL
  /** Thread name, as debuggers show it. */
  name: string
  /** Time limit for one job, on the monotonic clock, excluding the start of the thread. */
  timeoutMs: number
  /** Maximum number of threads. They start on demand and stay alive. */
  threads?: number
  /** Maximum number of waiting jobs, in total and per tenant. */
  maxQueued?: number
  maxQueuedPerTenant?: number
  /** Maximum number of threads per tenant; by default all. */
  maxRunningPerTenant?: number
  resourceLimits?: ResourceLimits
  /** Use processes with this environment instead of threads, for libraries that can crash the process they run in. */
  processEnv?: NodeJS.ProcessEnv | null
  clock?: Clock
}

export type JobOptions = {
  /** The tenant for which the job runs. */
  tenant: string
  /** Ends the wait. A running job keeps its thread until it ends, so that callers cannot force threads to restart. */
  signal?: AbortSignal
  transfer?: readonly Transferable[]
}

type Waiting = { job: unknown; options: JobOptions; outcome: PromiseWithResolvers<unknown> }

export class WorkerPool<Job, Result> {
  readonly #options: Required<WorkerPoolOptions>
  readonly #queue = createFairQueue<Waiting>()
  readonly #idle: PoolWorker[] = []
  readonly #threads = new Set<PoolWorker>()
  /** Number of running jobs per tenant. */
  readonly #running = new Map<string, number>()
  #closed = false

  constructor(options: WorkerPoolOptions) {
    this.#options = {
      threads: 1,
      maxQueued: 256,
      maxQueuedPerTenant: 32,
      maxRunningPerTenant: options.threads ?? 1,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
      processEnv: null,
      clock: systemClock,
      ...options,
    }
  }

  /** Number of jobs that wait for a thread. */
  get queued(): number {
    return this.#queue.size
  }

  /** Rejects with a `WorkerPoolFailure`, or with the reason of the signal. */
  run(job: Job, options: JobOptions): Promise<Result> {
    const { tenant, signal } = options
    if (this.#closed) return Promise.reject(closed())
    if (signal?.aborted) return Promise.reject(signal.reason)
    const full = this.#fullness(tenant)
    if (full !== null) return Promise.reject(new WorkerPoolFailure(full, `${this.#options.name}: too many jobs wait`))
    const waiting: Waiting = { job, options, outcome: Promise.withResolvers() }
    this.#queue.add(tenant, waiting)
    this.#dispatch()
    return asResult<Result>(signal === undefined ? waiting.outcome.promise : this.#abortable(waiting, signal))
  }

  /** Rejects waiting and running jobs; resolves when all threads have exited. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { outcome } of this.#queue.clear()) outcome.reject(closed())
    await Promise.all([...this.#threads].map((thread) => thread.close()))
  }

  #fullness(tenant: string): 'queue_full' | 'tenant_queue_full' | null {
    if (this.#hasThread() && this.#weightOf(tenant) < Number.POSITIVE_INFINITY) return null
    if (this.#queue.sizeOf(tenant) >= this.#options.maxQueuedPerTenant) return 'tenant_queue_full'
    return this.#queue.size >= this.#options.maxQueued ? 'queue_full' : null
  }

  #hasThread(): boolean {
    return this.#idle.length > 0 || this.#threads.size < this.#options.threads
  }

  #dispatch(): void {
    while (!this.#closed && this.#hasThread()) {
      const waiting = this.#queue.take((tenant) => this.#weightOf(tenant))
      if (waiting === undefined) return
      void this.#runOn(this.#idle.pop() ?? this.#start(), waiting)
    }
  }

  /** Tenants with the fewest threads come first; tenants at their maximum are skipped. */
  #weightOf(tenant: string): number {
    const running = this.#running.get(tenant) ?? 0
    return running < this.#options.maxRunningPerTenant ? running : Number.POSITIVE_INFINITY
  }

  #start(): PoolWorker {
    const { processEnv: env, ...options } = this.#options
    const thread = new PoolWorker({
      ...options,
      open: (events) =>
        env === null ? openWorkerThread(options, events) : openWorkerProcess({ ...options, env }, events),
    })
    this.#threads.add(thread)
    void thread.exited.then(() => {
      this.#threads.delete(thread)
      const index = this.#idle.indexOf(thread)
      if (index !== -1) this.#idle.splice(index, 1)
      this.#dispatch()
    })
    return thread
  }

  async #runOn(thread: PoolWorker, { job, options, outcome }: Waiting): Promise<void> {
    this.#count(options.tenant, 1)
    let ends = false
    try {
      outcome.resolve(await thread.run(job, options.transfer ?? []))
    } catch (error) {
      ends = !(error instanceof WorkerPoolFailure && error.kind === 'failed')
      outcome.reject(error)
    }
    this.#count(options.tenant, -1)
    if (!ends) this.#idle.push(thread)
    this.#dispatch()
  }

  #count(tenant: string, change: number): void {
    const count = (this.#running.get(tenant) ?? 0) + change
    if (count === 0) this.#running.delete(tenant)
    else this.#running.set(tenant, count)
  }

  async #abortable(waiting: Waiting, signal: AbortSignal): Promise<unknown> {
    const { options, outcome } = waiting
    const onAbort = (): void => {
      this.#queue.remove(options.tenant, waiting)
      outcome.reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await outcome.promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}

const closed = (): WorkerPoolFailure => new WorkerPoolFailure('closed', 'the pool is closed')

/** Safe because the pool's file answers each job with a result of the matching type. */
const asResult = <Result>(outcome: Promise<unknown>): Promise<Result> => outcome as Promise<Result>
