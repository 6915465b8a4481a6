/**
 * A model whose engine runs only while it is needed: the first request loads it, and it is unloaded when it was idle for
 * long or when another model needs the memory.
 */
import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Engine, ModelKind, ServedModel } from '../engine/contract.ts'
import type { EngineProcess } from '../engine/embedded/embedded-engine.ts'
import type { FirstLoad } from '../engine/embedded/supervisor.ts'
import type { RequestQueue } from '../schedule/request-queue.ts'
import type { EngineUse, InstalledModel, ModelMemory, ModelPool, ModelStatus } from './contract.ts'
import { type MemoryBudget, MemoryInUse, type MemoryUser } from './memory-budget.ts'
import { mainMemory, memoryRefusal } from './model-memory.ts'
import { orAborted } from './or-aborted.ts'

export type LoadableEngine = Engine & {
  readonly firstLoad: Promise<FirstLoad>
  readonly memory: ModelMemory | null
  process(): EngineProcess | null
}

export type LoadableModelOptions = {
  /** As far as known before it is loaded. */
  model: ServedModel
  kind: ModelKind
  slots: number
  queue: RequestQueue
  diskBytes: number | null
  /** Estimated, until the first load. */
  memory: ModelMemory
  /** Null: it stays loaded. */
  idleMs: number | null
  /** The reason if its files cannot be served. */
  failure: string | null
  /** Most requests that wait while it loads. */
  waitingLimit: number
  openEngine(): LoadableEngine
  budget: MemoryBudget
  clock: Clock
  log: Log
}

type Phase = 'unloaded' | 'loading' | 'loaded' | 'closing' | 'failed' | 'stopped'

/** When a client should retry if memory is in use by other models. */
const memoryRetryMs = 5000
const loadRetryMs = 2000

export class LoadableModel implements ModelPool, MemoryUser {
  readonly kind: ModelKind
  readonly slots: number
  readonly queue: RequestQueue
  aliases: readonly string[] = []
  installed: InstalledModel | null = null
  readonly #options: LoadableModelOptions
  #model: ServedModel
  #memory: ModelMemory
  #phase: Phase = 'unloaded'
  #reason: string | null = null
  #engine: LoadableEngine | null = null
  /** Requests to it while it loads for the first time are refused instead of waiting. */
  #isStarting = false
  #loading: Promise<void> | null = null
  #closing: Promise<void> = Promise.resolve()
  #uses = 0
  #waiting = 0
  #lastUsedMs: number
  #isDefault = false
  #isRemoved = false
  #cancelIdle: () => void = () => {}
  readonly #closed = Promise.withResolvers<void>()

  constructor(options: LoadableModelOptions) {
    this.#options = options
    this.kind = options.kind
    this.slots = options.slots
    this.queue = options.queue
    this.#model = options.model
    this.#memory = options.memory
    this.#lastUsedMs = options.clock.monotonicMs()
    if (options.failure !== null) this.#fail(options.failure)
  }

  get model(): ServedModel {
    return this.#engine?.model ?? this.#model
  }

  status(): ModelStatus {
    const { diskBytes } = this.#options
    const isInMemory = this.#engine !== null && this.#phase === 'loaded'
    const memory = isInMemory ? this.#memory : null
    return { state: this.#state(), reason: this.#reason, memory, process: this.#engine?.process() ?? null, diskBytes }
  }

  async use(signal: AbortSignal): Promise<EngineUse> {
    signal.throwIfAborted()
    this.#refuseUnlessUsable()
    this.#uses += 1
    this.#cancelIdle()
    let isReleased = false
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      this.#release()
    }
    try {
      if (this.#phase !== 'loaded' && !this.#isStarting) await this.#waitForLoad(signal)
      const engine = this.#engine
      if (engine === null) throw this.#loadingError()
      return { engine, release }
    } catch (error) {
      release()
      throw error
    }
  }

  /**
   * Loads it before the first request, at the start of the server: until then requests are refused with `engine_loading`,
   * not kept waiting. Resolves to the reason if its files cannot be served, otherwise to null.
   */
  async start(): Promise<string | null> {
    this.#isStarting = true
    await this.preload()
    this.#isStarting = false
    return this.#reason
  }

  /** Loads it before the first request. */
  async preload(): Promise<void> {
    try {
      if (this.#phase !== 'failed') await this.#load()
    } catch {
      // Logged; the next request gets the error.
    }
  }

  setDefault(isDefault: boolean): void {
    this.#isDefault = isDefault
    this.#cancelIdle()
    if (this.#uses === 0) this.#becomeIdle()
  }

  /** It is no longer listed. Resolves once running requests are complete and it is closed. */
  remove(): Promise<void> {
    this.#isRemoved = true
    if (this.#uses === 0) void this.close()
    return this.#closed.promise
  }

  async close(): Promise<void> {
    this.#phase = 'stopped'
    this.#cancelIdle()
    const engine = this.#engine
    this.#engine = null
    this.#options.budget.release(this)
    await Promise.all([this.#closing, engine?.close()])
    this.#closed.resolve()
  }

  isIdle(): boolean {
    return this.#phase === 'loaded' && this.#uses === 0
  }

  isDefault(): boolean {
    return this.#isDefault
  }

  lastUsedMs(): number {
    return this.#lastUsedMs
  }

  unload(): Promise<void> {
    const engine = this.#engine
    if (engine === null || !this.isIdle()) return this.#closing
    this.#cancelIdle()
    this.#model = engine.model
    this.#engine = null
    this.#phase = 'closing'
    this.#options.log.info('model_unloaded', { model: this.#model.id })
    this.#closing = engine.close().then(() => {
      this.#options.budget.release(this)
      if (this.#phase === 'closing') this.#phase = 'unloaded'
    })
    return this.#closing
  }

  #state(): ModelStatus['state'] {
    if (this.#phase === 'loaded') return this.#engine?.state() ?? 'unloaded'
    return this.#phase === 'closing' ? 'unloaded' : this.#phase
  }

  async #waitForLoad(signal: AbortSignal): Promise<void> {
    if (this.#waiting >= this.#options.waitingLimit) throw ApiError.of('queue_full', {}, { retryAfterMs: loadRetryMs })
    this.#waiting += 1
    try {
      await orAborted(this.#load(), signal)
    } finally {
      this.#waiting -= 1
    }
  }

  /** Requests that arrive meanwhile share the load; it continues if they are aborted. */
  #load(): Promise<void> {
    if (this.#phase === 'loaded') return Promise.resolve()
    if (this.#loading !== null) return this.#loading
    const loading = this.#openEngine().finally(() => {
      this.#loading = null
    })
    // Those who wait may have been aborted.
    loading.catch(() => {})
    this.#loading = loading
    return loading
  }

  async #openEngine(): Promise<void> {
    const { budget, log } = this.#options
    const { id } = this.#model
    if (this.#phase !== 'closing') this.#phase = 'loading'
    await this.#closing
    this.#throwIfStopped()
    this.#phase = 'loading'
    const bytes = mainMemory(this.#memory)
    const { gpuBytes = 0 } = this.#memory
    if (bytes > budget.limitBytes) throw this.#refused(memoryRefusal(this.#memory, budget.limitBytes))
    try {
      await budget.reserve(this, bytes, gpuBytes)
    } catch (error) {
      this.#phase = 'unloaded'
      if (!(error instanceof MemoryInUse)) throw error
      const needed = { neededBytes: bytes, limitBytes: budget.limitBytes, ...(gpuBytes === 0 ? {} : { gpuBytes }) }
      log.warn('model_memory_short', { model: id, ...needed })
      throw ApiError.of('model_memory_short', { model: id }, { retryAfterMs: memoryRetryMs })
    }
    this.#throwIfStopped()
    const engine = this.#options.openEngine()
    this.#engine = engine
    const first = await engine.firstLoad
    this.#throwIfStopped()
    if (first.outcome === 'closed') throw shuttingDown()
    if (first.outcome === 'refused') throw this.#refused(first.reason)
    this.#phase = 'loaded'
    this.#memory = engine.memory ?? this.#memory
    budget.correct(this, mainMemory(this.#memory), this.#memory)
    if (this.#uses === 0) this.#becomeIdle()
  }

  #refused(reason: string): ApiError {
    const engine = this.#engine
    this.#engine = null
    this.#fail(reason)
    this.#closing = (engine?.close() ?? Promise.resolve()).then(() => this.#options.budget.release(this))
    return this.#unavailable()
  }

  #fail(reason: string): void {
    this.#phase = 'failed'
    this.#reason = reason
    this.#options.log.error('model_failed', { model: this.#model.id, reason })
  }

  #unavailable(): ApiError {
    return ApiError.of('model_unavailable', { model: this.#model.id })
  }

  #refuseUnlessUsable(): void {
    this.#throwIfStopped()
    if (this.#phase === 'failed') throw this.#unavailable()
  }

  #throwIfStopped(): void {
    if (this.#phase !== 'stopped') return
    this.#options.budget.release(this)
    throw this.#isRemoved ? ApiError.of('model_not_found', { model: this.#model.id }) : shuttingDown()
  }

  #loadingError(): ApiError {
    return ApiError.of('engine_loading', {}, { retryAfterMs: loadRetryMs })
  }

  #release(): void {
    this.#uses -= 1
    this.#lastUsedMs = this.#options.clock.monotonicMs()
    if (this.#uses > 0) return
    if (this.#isRemoved) void this.close()
    else this.#becomeIdle()
  }

  #becomeIdle(): void {
    const { idleMs, clock } = this.#options
    this.#cancelIdle()
    if (idleMs === null || this.#isDefault || this.#phase !== 'loaded') return
    this.#cancelIdle = clock.after(idleMs, () => void this.unload())
  }
}

const shuttingDown = (): ApiError => ApiError.of('shutting_down', {}, { retryAfterMs: 1000 })
