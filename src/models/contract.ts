/**
 * The models that the server serves: each has an engine and a queue of its own. May import `upstreams`, `engine`,
 * `schedule`, `config` and `base`. Promises that a model stays in memory while a request uses it, and that one model's
 * failure does not affect the others.
 */
import type { Engine, ModelKind, ServedModel } from '../engine/contract.ts'
import type { EngineProcess } from '../engine/embedded/embedded-engine.ts'
import type { MemoryPlan } from '../engine/embedded/llama/memory-plan.ts'
import type { Price } from '../prices/price.ts'
import type { RequestQueue } from '../schedule/request-queue.ts'

/**
 * `unloaded`: the next request loads it. `failed`: its files cannot be served. `stopped`: the server is stopping, or the
 * model was removed.
 */
export type ModelState = 'unloaded' | 'loading' | 'ready' | 'failed' | 'stopped'

/** In bytes. */
export type ModelMemory = MemoryPlan

export type ModelStatus = {
  state: ModelState
  /** One line for the operator; null unless the state is `failed`. */
  reason: string | null
  /** Null unless the model is in this machine's memory. */
  memory: ModelMemory | null
  /** That it runs in; null unless there is one on this machine. */
  process: EngineProcess | null
  /** Size of the files; null for an upstream. */
  diskBytes: number | null
}

/** Where a model on this machine comes from, what its files say, and what was set for it. */
export type InstalledModel = {
  /** Only models of the list in the data directory can be changed while the server runs. */
  source: 'settings' | 'list'
  /** The address of its files; null if they were added by their path. */
  pulledFrom: string | null
  /** Whether its files are deleted with it. */
  ownsFiles: boolean
  quantisation: string | null
  parameters: number | null
  licence: string | null
  trainedContextTokens: number | null
  layers: number | null
  /** Calculated from the files. */
  needed: ModelMemory
  /** What was set for this model alone; null: the value of the settings, or the model's own. */
  own: { contextTokens: number | null; slots: number | null; gpuLayers: number | null }
}

/** The engine of a model for one request. The model is not unloaded before `release`, which is idempotent. */
export type EngineUse = { readonly engine: Engine; release(): void }

/** One model, with what answers its requests and where they wait. */
export interface ModelPool {
  /** Capabilities are those of the last time it was loaded. */
  readonly model: ServedModel
  /** Other names under which it can be requested. */
  readonly aliases: readonly string[]
  readonly kind: ModelKind
  /** Of the upstreams that serve it; models on this machine have none of their own. */
  readonly price?: Price | null
  readonly slots: number
  readonly queue: RequestQueue
  /** Absent for models of upstreams. */
  readonly installed?: InstalledModel | null
  status(): ModelStatus
  /** Loads the model first if necessary. Rejects with an `ApiError` or the signal's reason. */
  use(signal: AbortSignal): Promise<EngineUse>
}

export interface Models {
  /** The default model first. */
  list(): readonly ModelPool[]
  /** By name or alias. */
  find(name: string): ModelPool | null
  /** The model that pages and commands suggest, and that `/readyz` reports. */
  readonly defaultPool: ModelPool
  /** Applies changes of the list in the data directory. Running requests continue. */
  reload(): Promise<void>
  close(): Promise<void>
}
