/** An embedding model or a reranker in memory. It turns token sequences into vectors or scores; the embedding loop decides which, and when. */

import { normalise } from '../../normalise.ts'
import { createDecodeFaults, endWith } from '../llama/decode-faults.ts'
import { type LlamaApi, loadedGpu, loadLlamaApi, type Pointer } from '../llama/llama-api.ts'
import type { MemoryPlan } from '../llama/memory-plan.ts'
import { type LogLine, modelMetadata, planModel } from '../llama/open-llama.ts'
import { type Placement, placeModel } from '../llama/place-model.ts'
import { deviceText, modelParams, placedMemory, plannedModel } from '../llama/placed-memory.ts'
import type { LoadSettings } from '../load-settings.ts'
import { type PairFormat, readPairFormat } from '../reranking/pair-format.ts'
import { createEmbeddingBatch } from './embedding-batch.ts'

type EmbedderSettings = Omit<LoadSettings, 'files' | 'endTokens' | 'speculation'>

/**
 * `input`: with the tokens that the model requires at start and end. `part`: without them. `template`: without them, and
 * control tokens may be spelled out.
 */
export type TextRole = 'input' | 'part' | 'template'

export interface Embedder {
  /** Per input. */
  readonly contextTokens: number
  readonly vocabularyTokens: number
  /** 1 of a reranker. */
  readonly vectorLength: number
  /** How a query and a document become one input; null of an embedding model. */
  readonly pairFormat: PairFormat | null
  readonly memory: MemoryPlan
  /** The GPU that it runs on, and the library that uses it; null on the CPU. */
  readonly gpu: string | null
  /** Why it runs on the CPU although it should use a GPU; null otherwise. */
  readonly gpuFault: string | null
  /** Those that compute: two if the whole model is on a GPU. */
  readonly threads: number
  /** Maximum number of tokens and inputs per batch. */
  readonly batchTokens: number
  readonly maxInputs: number
  /** The tokens of a text; runs on another thread. */
  tokenise(text: string, as: TextRole): Promise<Uint32Array>
  /** Normalised vectors, or scores of a reranker, in the order of the inputs, which together fit a batch. Runs on other threads. */
  embed(inputs: readonly Uint32Array[]): Promise<Float32Array[]>
  /** Sets the thread count for later steps, up to the count at opening. */
  setThreads(threads: number): void
  close(): void
}

/** Inputs that share a step; most are shorter than this many tokens. */
const usualBatchTokens = 512
const maxInputs = 64
/** llama.cpp's numbers for how the vectors of the tokens are combined. */
const poolings = { none: 0, mean: 1, rank: 4 } as const

export const openEmbedder = async (settings: EmbedderSettings, log: LogLine): Promise<Embedder> => {
  // Errors logged during loading explain why it failed.
  const loadErrors: string[] = []
  const api = loadLlamaApi(settings, (level, text) => {
    if (level === 'error') loadErrors.push(text)
    else log(level, text)
  })
  const failure = (otherwise: string) => new Error(loadErrors[0] ?? otherwise)
  const gpu = loadedGpu()
  const placement = placeModel(settings, gpu, plannedModel({ ...settings, slots: 1 }))
  const model = await api.llama_model_load_from_file.inBackground(
    settings.weightsPath,
    modelParams(api, settings, placement),
  )
  if (model === null) throw failure('llama.cpp gives no reason')
  const contextTokens = Math.min(settings.contextTokens, api.llama_model_n_ctx_train(model))
  // An input is read in one step, because every token of it may depend on all others.
  const batchTokens = Math.max(usualBatchTokens, contextTokens)
  const plan = planEmbedder(api, model, batchTokens)
  const ownBuffers = { ...placement, gpuBuffers: plan.buffers }
  const placed = { plan, layers: api.llama_model_n_layer(model), placement: ownBuffers, gpu }
  const memory = placedMemory(placed, { ...settings, slots: 1, contextTokens: batchTokens })
  if (placement.split !== null) log('warn', placement.split)
  const { threads } = placement
  const isReranker = settings.kind === 'rerank'
  const pooling = isReranker ? poolings.rank : readPooling(api, model)
  const params = contextParams(api, { ...settings, threads }, { batchTokens, pooling })
  const context = await api.llama_init_from_model.inBackground(model, params)
  if (context === null) throw failure('llama.cpp could not create a context')
  loadLlamaApi(settings, log)
  return openContext(api, {
    model,
    context,
    contextTokens,
    batchTokens,
    memory,
    placement,
    isReranker,
    onLost: endWith(log),
  })
}

/** A model that does not say how, averages. */
const readPooling = (api: LlamaApi, model: Pointer): number => {
  const metadata = modelMetadata(api, model)
  const pooling = Number(metadata(`${metadata('general.architecture')}.pooling_type`) ?? poolings.none)
  return pooling === poolings.none ? poolings.mean : pooling
}

/** Encoders need no cache, but larger buffers: they read a whole input at once. */
const planEmbedder = (api: LlamaApi, model: Pointer, batchTokens: number): MemoryPlan => {
  const metadata = modelMetadata(api, model)
  const isCausal = metadata(`${metadata('general.architecture')}.attention.causal`) !== 'false'
  const plan = planModel(api, model, { slots: 1, cacheType: 'f16' }, batchTokens)
  const buffers = (plan.buffers * batchTokens) / usualBatchTokens
  return { weights: plan.weights, cache: isCausal ? plan.cache : 0, buffers }
}

/**
 * Flash attention saves memory for long inputs, but rounds to 16 bits: the vector of a text then differs by about 1e-4
 * depending on the other inputs of its batch. Up to this length the memory is small enough to do without.
 */
const exactTokens = 1024
const flashAttentionTypes = { auto: -1, off: 0, on: 1 } as const

const contextParams = (
  api: LlamaApi,
  { threads, flashAttention }: EmbedderSettings,
  { batchTokens, pooling }: { batchTokens: number; pooling: number },
) => ({
  ...api.llama_context_default_params(),
  n_ctx: batchTokens,
  n_batch: batchTokens,
  n_ubatch: batchTokens,
  n_seq_max: maxInputs,
  n_threads: threads,
  n_threads_batch: threads,
  flash_attn_type:
    flashAttentionTypes[flashAttention === 'auto' && batchTokens <= exactTokens ? 'off' : flashAttention],
  embeddings: true,
  pooling_type: pooling,
  // All inputs of a batch share the memory of one context.
  kv_unified: true,
  no_perf: true,
})

type Opened = {
  model: Pointer
  context: Pointer
  contextTokens: number
  batchTokens: number
  memory: MemoryPlan
  placement: Placement
  onLost: (reason: string) => void
  isReranker: boolean
}

const openContext = (api: LlamaApi, opened: Opened): Embedder => {
  const { model, context, contextTokens, batchTokens, memory, placement, isReranker } = opened
  const { threads } = placement
  const threadpool = api.ggml_threadpool_new({ ...api.ggml_threadpool_params_default(threads), poll: 0 })
  api.llama_attach_threadpool(context, threadpool, threadpool)
  const { check } = createDecodeFaults(opened.onLost)
  const vocab = api.llama_model_get_vocab(model)
  // Of several outputs of a reranker the first is the score.
  const vectorLength = isReranker ? 1 : api.llama_model_n_embd_out(model)
  const end = api.llama_vocab_eos(vocab)
  // An empty text has a vector too: without tokens of its own, that of the token which ends a text.
  const ending = Uint32Array.from(end < 0 ? [] : [end])
  const batch = createEmbeddingBatch(api, { context, capacity: batchTokens, vectorLength, check })
  return {
    contextTokens,
    vocabularyTokens: api.llama_vocab_n_tokens(vocab),
    vectorLength,
    pairFormat: isReranker ? readPairFormat(api, model) : null,
    memory,
    gpu: deviceText(loadedGpu().device, placement, api.llama_model_n_layer(model)),
    threads,
    gpuFault: loadedGpu().fault,
    batchTokens,
    maxInputs,
    async tokenise(text, role) {
      const bytes = Buffer.from(text)
      // A token has at least one byte, except for those at the start and end.
      const tokens = new Int32Array(bytes.length + 8)
      const { llama_tokenize: call } = api
      const isInput = role === 'input'
      const special = [isInput, role === 'template'] as const
      const count = await call.inBackground(vocab, bytes, bytes.length, tokens, tokens.length, ...special)
      if (count < 0) throw new Error(`llama.cpp could not tokenise a text of ${bytes.length} bytes`)
      return count === 0 && isInput ? ending : Uint32Array.from(tokens.subarray(0, count))
    },
    embed: async (inputs) =>
      (await batch.run(inputs)).map((vector) => (isReranker ? vector.slice() : normalise(vector))),
    setThreads: (count) => api.llama_set_n_threads(context, count, count),
    close() {
      batch.free()
      api.llama_free(context)
      api.ggml_threadpool_free(threadpool)
      api.llama_model_free(model)
    },
  }
}
