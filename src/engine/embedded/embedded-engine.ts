/**
 * The model in a separate process, as an `Engine`. A crash there fails only the requests in progress; a prompt that was
 * only prepared stays valid.
 */

import { ApiError } from '../../base/api-error.ts'
import { asBatched } from '../../base/batches.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { PauseSwitch } from '../../base/pause-switch.ts'
import { settings } from '../../config/settings.ts'
import type {
  Conversation,
  Engine,
  EngineEvent,
  EngineState,
  InputOptions,
  ModelInputs,
  PreparedInputs,
  PreparedPrompt,
  Sampling,
  TokenizerInfo,
  TokenTexts,
} from '../contract.ts'
import type { ModelFiles } from '../model-folder.ts'
import { fillSampling, type SamplingDefaults } from '../sampling.ts'
import { kindOfFeatures, wrongModelKind } from '../wrong-model-kind.ts'
import { refusedInput } from './embedding/refused-input.ts'
import { EngineRequests } from './engine-requests.ts'
import type { MemoryPlan } from './llama/memory-plan.ts'
import type { CacheType, FlashAttention, LoadSettings, Speculation } from './load-settings.ts'
import type { RequestMessage, ToWorker } from './protocol.ts'
import { tokenEvent } from './request-messages.ts'
import { refusedPair } from './reranking/refused-pair.ts'
import { type FirstLoad, Supervisor } from './supervisor.ts'

type EmbeddedEngineOptions = Pick<LoadSettings, 'ownBuild' | 'packages' | 'gpuLayers' | 'splitMode' | 'mainGpu'> & {
  modelFiles: ModelFiles
  slots: number
  threads: number
  gpu?: LoadSettings['gpu']
  cacheType?: CacheType
  flashAttention?: FlashAttention
  speculation?: Speculation
  silenceLimitMs?: number
  clock: Clock
  log: Log
  /** Path of the engine process's program. */
  workerPath: string
}

export type EngineProcess = {
  /** As the system counts it, files that are mapped into memory included. */
  memoryBytes: number
  /** The share of the KV cache that has tokens; null if that is not known, or there is no cache. */
  cacheUse: number | null
  /** The GPU that it runs on, and the library that uses it; null on the CPU. */
  gpu: string | null
  /** One line for the operator: why it runs on the CPU although it should use a GPU; null otherwise. */
  gpuFault: string | null
}

export class EmbeddedEngine implements Engine {
  readonly slots: number
  readonly canPause = true
  readonly #supervisor: Supervisor
  readonly #requests: EngineRequests
  readonly #defaults: SamplingDefaults
  #model: ModelFiles['served']
  #memory: MemoryPlan | null = null
  #gpuUse: Pick<EngineProcess, 'gpu' | 'gpuFault'> = { gpu: null, gpuFault: null }
  #tokenizer: TokenizerInfo | null = null

  constructor(options: EmbeddedEngineOptions) {
    const { modelFiles, slots, threads, clock, log, workerPath } = options
    const { gpu = false, ownBuild = null, packages = null, gpuLayers = null } = options
    const { splitMode = 'layer', mainGpu = 0 } = options
    const { silenceLimitMs = settings.engineSilenceLimitMs.default } = options
    const { cacheType = 'f16', flashAttention = 'auto', speculation = 'auto' } = options
    const { kind = 'chat', served, defaults, weightsPath, files, endTokens, description } = modelFiles
    this.slots = slots
    this.#defaults = defaults
    this.#model = served
    this.#supervisor = new Supervisor({
      workerPath,
      settings: {
        ...{ kind, weightsPath, files, endTokens, description, contextTokens: served.contextTokens },
        ...{ gpu, ownBuild, packages, gpuLayers, splitMode, mainGpu },
        ...{ slots, threads, cacheType, flashAttention, speculation },
      },
      silenceLimitMs,
      clock,
      log,
      onReady: ({
        memory,
        gpu: device = null,
        gpuFault = null,
        tokenizer = null,
        pid,
        loadMs,
        features,
        ...opened
      }) => {
        const { contextTokens } = opened
        this.#memory = memory
        this.#gpuUse = { gpu: device, gpuFault }
        this.#tokenizer = tokenizer
        const own = kind === 'embedding' ? ({ cutsInputs: true } as const) : {}
        this.#model = { ...served, ...opened, ...own, features: new Set(features) }
        const [weightsMb, cacheMb, buffersMb] = [memory.weights, memory.cache, memory.buffers].map(toMegabytes)
        const sizes = { contextTokens, slots, threads, weightsMb, cacheMb, buffersMb }
        log.info('engine_ready', { model: served.id, pid, loadMs, ...sizes, gpu: device })
        if (gpuFault !== null) log.warn('engine_gpu_unused', { reason: gpuFault })
      },
      onMessage: (message) => this.#requests.receive(message),
      onGone: () => this.#requests.failAll(),
    })
    this.#requests = new EngineRequests(this.#supervisor)
  }

  /** Updated once the weights are loaded, with the actual context length and model details. */
  get model(): ModelFiles['served'] {
    return this.#model
  }

  /** Memory that the model takes, in bytes; null before the weights are loaded. */
  get memory(): MemoryPlan | null {
    return this.#memory
  }

  get tokenizer(): TokenizerInfo | null {
    return this.#tokenizer
  }

  get firstLoad(): Promise<FirstLoad> {
    return this.#supervisor.firstLoad
  }

  state(): EngineState {
    return this.#supervisor.state()
  }

  /** Process id of the engine process; null between restarts. */
  pid(): number | null {
    return this.#supervisor.pid()
  }

  /** The engine process; null between restarts. */
  process(): EngineProcess | null {
    const memoryBytes = this.#supervisor.processBytes()
    return memoryBytes === null ? null : { memoryBytes, cacheUse: this.#supervisor.cacheUse(), ...this.#gpuUse }
  }

  /** Number of requests in progress. */
  active(): number {
    return this.#requests.count
  }

  async prepare(conversation: Conversation, signal: AbortSignal): Promise<PreparedPrompt> {
    const isRaw = conversation.rawPrompt !== undefined
    for await (const message of this.#requests.ask((id) => ({ type: 'prepare', id, conversation }), signal)) {
      if (message.type === 'too_long') throw this.#tooLong(message, isRaw ? 'prompt' : 'messages')
      if (message.type !== 'prepared') continue
      const { tokens } = message
      if (tokens.length === 0) throw ApiError.of('refused_value', noTokens, { param: noTokens.path })
      return {
        promptTokens: tokens.length,
        promptTokenIds: Array.from(tokens),
        generate: (sampling, generateSignal, pausing) =>
          asBatched(this.#generate(tokens, conversation.cacheScope, sampling, generateSignal, pausing)),
      }
    }
    throw ApiError.of('engine_failed', {})
  }

  async prepareInputs(
    inputs: ModelInputs,
    signal: AbortSignal,
    _caller?: unknown,
    options: InputOptions = {},
  ): Promise<PreparedInputs> {
    this.#requests.refuseUnlessReady()
    const { id: model, contextTokens, features } = this.#model
    const [kind, wanted] = [kindOfFeatures(features), 'documents' in inputs ? 'rerank' : 'embedding'] as const
    if (kind !== wanted) throw wrongModelKind(model, kind, wanted)
    for await (const message of this.#requests.ask((id) => ({ type: 'tokenise', id, inputs, options }), signal)) {
      if (message.type === 'input_refused')
        throw 'documents' in inputs
          ? refusedPair(message.refusal, { contextTokens, pairs: inputs })
          : refusedInput(message.refusal, { contextTokens, inputs: inputs.length, name: options.name ?? 'input' })
      if (message.type !== 'tokenised') continue
      const { inputs: tokenised } = message
      return {
        promptTokens: tokenised.reduce((sum, { length }) => sum + length, 0),
        tokenIds: tokenised,
        embed: (embedSignal) => this.#embed(tokenised, embedSignal),
      }
    }
    throw ApiError.of('engine_failed', {})
  }

  async detokenise(ids: readonly number[], ownerId: string, signal: AbortSignal): Promise<TokenTexts> {
    const tokens = Uint32Array.from(ids)
    for await (const message of this.#requests.ask(
      (id) => ({ type: 'detokenise', id, ids: tokens, ownerId }),
      signal,
    )) {
      if (message.type !== 'detokenised') continue
      const { text, spellings } = message
      return { text, spellings }
    }
    throw ApiError.of('engine_failed', {})
  }

  close(): Promise<void> {
    return this.#supervisor.close()
  }

  async *#generate(
    tokens: Uint32Array,
    scope: string,
    requested: Sampling,
    signal: AbortSignal,
    pausing?: PauseSwitch,
  ): AsyncGenerator<readonly EngineEvent[], void> {
    const promptTokens = tokens.length
    const sampling = fillSampling(requested, this.#defaults, this.#model.contextTokens - promptTokens)
    const request = (id: number): ToWorker => ({ type: 'generate', id, tokens, scope, sampling })
    for await (const messages of this.#requests.askBatches(request, signal, pausing))
      yield messages.flatMap((message): EngineEvent[] => {
        if (message.type === 'token') return [tokenEvent(message)]
        if (message.type === 'prompt') return [{ type: 'prompt', tokens: message.tokens }]
        if (message.type !== 'end') return []
        const { reason, cachedTokens, completionTokens, endToken } = message
        const counts = { promptTokens, cachedTokens, completionTokens }
        return [{ type: 'end', reason, ...counts, ...(endToken === undefined ? {} : { endToken }) }]
      })
  }

  async *#embed(inputs: Uint32Array[], signal: AbortSignal): AsyncGenerator<Float32Array, void> {
    const { vectorLength = 0 } = this.#model
    for await (const message of this.#requests.ask((id) => ({ type: 'embed', id, inputs }), signal)) {
      if (message.type !== 'vectors') continue
      const { vectors } = message
      for (let start = 0; start < vectors.length; start += vectorLength) {
        signal.throwIfAborted()
        yield vectors.subarray(start, start + vectorLength)
      }
    }
  }

  #tooLong({ counted, complete, cpuMs }: RequestMessage & { type: 'too_long' }, param: string): ApiError {
    const { contextTokens } = this.#model
    const promptTokens = complete ? counted : `more than ${contextTokens}`
    return ApiError.of('context_length_exceeded', { contextTokens, promptTokens }, { param, cpuMs })
  }
}

export const openEmbeddedEngine = (options: EmbeddedEngineOptions): EmbeddedEngine => new EmbeddedEngine(options)

/** Of a raw prompt: a template that renders nothing is refused with its messages. */
const noTokens = { path: 'prompt', reason: 'the model has no tokens for it' }

const toMegabytes = (bytes: number): number => Math.round(bytes / 1e6)
