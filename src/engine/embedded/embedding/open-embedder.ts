/** An embedding model or a reranker in memory. It turns token sequences into vectors or scores; the embedding loop decides which, and when. */

import { normalise } from '../../normalise.ts'
import { createDecodeFaults, endWith } from '../llama/decode-faults.ts'
import { type LlamaApi, loadedGpu, loadLlamaApi, type Pointer } from '../llama/llama-api.ts'
import { type MemoryPlan, planEncoder } from '../llama/memory-plan.ts'
import { type LogLine, modelMetadata, planModel } from '../llama/open-llama.ts'
import { type Placement, placeModel } from '../llama/place-model.ts'
import { deviceText, modelParams, placedMemory, plannedModel } from '../llama/placed-memory.ts'
import type { LoadSettings } from '../load-settings.ts'
import { type PairFormat, readPairFormat } from '../reranking/pair-format.ts'
import { type EmbedderWeights, loadEmbedderWeights } from './embedder-weights.ts'
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
  /** How many tokens the model requires at the end of a text. */
  readonly endTokens: number
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
/** Up to this many tokens llama.cpp's flash attention is slower than the plain one on CPUs, and adds up in 16 bits. */
const shortTokens = 63
/** llama.cpp's numbers for how the vectors of the tokens are combined. */
const poolings = { none: 0, mean: 1, rank: 4 } as const

export const openEmbedder = async (settings: EmbedderSettings, log: LogLine): Promise<Embedder> => {
  // Errors logged during loading explain why it failed.
  const loadErrors: string[] = []
  const api = loadLlamaApi(settings, (level, text) => {
    if (level === 'error') loadErrors.push(text)
    // A model without its vocabulary is loaded on purpose.
    else if (!text.includes('dummy token')) log(level, text)
  })
  const failure = (otherwise: string) => new Error(loadErrors[0] ?? otherwise)
  const gpu = loadedGpu()
  const placement = placeModel(settings, gpu, plannedModel({ ...settings, slots: 1 }))
  const weights = await loadEmbedderWeights(api, settings.weightsPath, modelParams(api, settings, placement), log)
  if (weights === null) throw failure('llama.cpp gives no reason')
  const { model } = weights
  const contextTokens = Math.min(settings.contextTokens, api.llama_model_n_ctx_train(model))
  // An input is read in one step, because every token of it may depend on all others.
  const batchTokens = Math.max(usualBatchTokens, contextTokens)
  const isOnGpu = placement.gpuLayers !== 0
  const mayRound = !isOnGpu || batchTokens > exactTokens
  const { flashAttention } = settings
  const hasPlainAttention = flashAttention === 'off' || (flashAttention === 'auto' && !mayRound)
  const plan = planEmbedder(api, weights, { batchTokens, hasPlainAttention })
  const ownBuffers = { ...placement, gpuBuffers: plan.buffers }
  const placed = { plan, layers: api.llama_model_n_layer(model), placement: ownBuffers, gpu }
  const memory = placedMemory(placed, { ...settings, slots: 1, contextTokens: batchTokens })
  if (placement.split !== null) log('warn', placement.split)
  const { threads } = placement
  const isReranker = settings.kind === 'rerank'
  const pooling = isReranker ? poolings.rank : readPooling(api, model)
  const open = async (sizes: ContextSizes) => {
    const params = contextParams(api, { ...settings, threads }, { ...sizes, pooling })
    const context = await api.llama_init_from_model.inBackground(model, params)
    if (context === null) throw failure('llama.cpp could not create a context')
    return { context, batchTokens: sizes.batchTokens }
  }
  // Beside others the vector of a text would depend on them: rounded differently, quantised numbers differ by up to 2e-3.
  const contexts = isOnGpu
    ? [await open({ batchTokens, sequences: maxInputs, mayRound })]
    : [
        await open({ batchTokens: shortTokens, sequences: 1, mayRound: false }),
        await open({ batchTokens, sequences: 1, mayRound }),
      ]
  loadLlamaApi(settings, log)
  return openContexts(api, {
    weights,
    contexts,
    inputsAtOnce: isOnGpu ? maxInputs : 1,
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

const planEmbedder = (
  api: LlamaApi,
  { model, vocabulary, table }: EmbedderWeights,
  { batchTokens, hasPlainAttention }: { batchTokens: number; hasPlainAttention: boolean },
): MemoryPlan => {
  const metadata = modelMetadata(api, model)
  const architecture = metadata('general.architecture')
  const isCausal = metadata(`${architecture}.attention.causal`) !== 'false'
  const { weights, cache } = planModel(api, model, { slots: 1, cacheType: 'f16' }, batchTokens)
  const width = api.llama_model_n_embd(model)
  return planEncoder({
    ...{ weights, cache: isCausal ? cache : 0, batchTokens, hasPlainAttention, width },
    feedForward: Number(metadata(`${architecture}.feed_forward_length`)) || feedForwardOfWidth * width,
    heads: api.llama_model_n_head(model),
    vocabulary: api.llama_vocab_n_tokens(api.llama_model_get_vocab(vocabulary)),
    hasLogits: table === null,
  })
}
/** Where the file has a number for each layer. */
const feedForwardOfWidth = 4

/**
 * Flash attention rounds to 16 bits: on a GPU, where inputs share a batch, the vector of a text differs by about 1e-4 depending on
 * the others. Up to this length the memory is small enough to do without.
 */
const exactTokens = 1024
const flashAttentionTypes = { auto: -1, off: 0, on: 1 } as const
/** `mayRound`: flash attention is used unless the operator says something else. */
type ContextSizes = { batchTokens: number; sequences: number; mayRound: boolean }

const contextParams = (
  api: LlamaApi,
  { threads, flashAttention }: EmbedderSettings,
  { batchTokens, sequences, mayRound, pooling }: ContextSizes & { pooling: number },
) => ({
  ...api.llama_context_default_params(),
  n_ctx: batchTokens,
  n_batch: batchTokens,
  n_ubatch: batchTokens,
  n_seq_max: sequences,
  n_threads: threads,
  n_threads_batch: threads,
  flash_attn_type: flashAttentionTypes[flashAttention === 'auto' && !mayRound ? 'off' : flashAttention],
  embeddings: true,
  pooling_type: pooling,
  // All inputs of a batch share the memory of one context.
  kv_unified: true,
  no_perf: true,
})

type Opened = {
  weights: EmbedderWeights
  /** The smaller one first. */
  contexts: readonly { context: Pointer; batchTokens: number }[]
  inputsAtOnce: number
  contextTokens: number
  batchTokens: number
  memory: MemoryPlan
  placement: Placement
  onLost: (reason: string) => void
  isReranker: boolean
}

const openContexts = (api: LlamaApi, opened: Opened): Embedder => {
  const { weights, contexts, inputsAtOnce, contextTokens, batchTokens, memory, placement, isReranker } = opened
  const { model, vocabulary, table } = weights
  const { threads } = placement
  const threadpool = api.ggml_threadpool_new({ ...api.ggml_threadpool_params_default(threads), poll: 0 })
  const { check } = createDecodeFaults(opened.onLost)
  const vocab = api.llama_model_get_vocab(vocabulary)
  // Of several outputs of a reranker the first is the score.
  const vectorLength = isReranker ? 1 : api.llama_model_n_embd_out(model)
  const end = api.llama_vocab_eos(vocab)
  // An empty text has a vector too: without tokens of its own, that of the token which ends a text.
  const ending = Uint32Array.from(end < 0 ? [] : [end])
  const batches = contexts.map(({ context, batchTokens: capacity }) => {
    api.llama_attach_threadpool(context, threadpool, threadpool)
    return { capacity, ...createEmbeddingBatch(api, { context, capacity, vectorLength, table, check }) }
  })
  const compute = async (inputs: readonly Uint32Array[]): Promise<Float32Array[]> => {
    const tokens = inputs.reduce((sum, { length }) => sum + length, 0)
    const batch = batches.find(({ capacity }) => tokens <= capacity)
    if (batch === undefined) throw new Error(`${tokens} tokens do not fit a batch`)
    return (await batch.run(inputs)).map((vector) => (isReranker ? vector.slice() : normalise(vector)))
  }
  return {
    contextTokens,
    vocabularyTokens: api.llama_vocab_n_tokens(vocab),
    vectorLength,
    pairFormat: isReranker ? readPairFormat(api, vocabulary) : null,
    memory,
    gpu: deviceText(loadedGpu().device, placement, api.llama_model_n_layer(model)),
    threads,
    gpuFault: loadedGpu().fault,
    batchTokens,
    maxInputs,
    endTokens: countEndTokens(api, vocab),
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
    async embed(inputs) {
      const vectors: Float32Array[] = []
      for (let start = 0; start < inputs.length; start += inputsAtOnce)
        vectors.push(...(await compute(inputs.slice(start, start + inputsAtOnce))))
      return vectors
    },
    setThreads(count) {
      for (const { context } of contexts) api.llama_set_n_threads(context, count, count)
    },
    close() {
      for (const batch of batches) batch.free()
      for (const { context } of contexts) api.llama_free(context)
      api.ggml_threadpool_free(threadpool)
      api.llama_model_free(model)
      if (table === null) return
      api.llama_model_free(vocabulary)
      table.close()
    },
  }
}

/** An empty text consists of the tokens at start and end. */
const countEndTokens = (api: LlamaApi, vocab: Pointer): number => {
  const tokens = new Int32Array(8)
  const count = api.llama_tokenize(vocab, new Uint8Array(0), 0, tokens, tokens.length, true, false)
  return Math.max(0, count - (api.llama_vocab_get_add_bos(vocab) ? 1 : 0))
}
