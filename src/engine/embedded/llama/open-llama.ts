/**
 * One model in memory, with several sequences that each contain the tokens of one conversation. It reads tokens and
 * returns logits; the decode loop decides which tokens, in which order.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LoadSettings } from '../load-settings.ts'
import { createDecodeFaults, endWith } from './decode-faults.ts'
import { type LlamaApi, loadedGpu, loadLlamaApi, type Pointer } from './llama-api.ts'
import { type MemoryPlan, type ModelShape, maxOutputs, planMemory } from './memory-plan.ts'
import { createNativeBatch, type OnRead, type Slice } from './native-batch.ts'
import { openVocabulary } from './open-vocabulary.ts'
import { type Placement, placeModel } from './place-model.ts'
import { deviceText, modelParams, placedMemory, plannedModel } from './placed-memory.ts'
import type { Vocabulary } from './vocabulary.ts'

type LlamaSettings = Omit<LoadSettings, 'files' | 'endTokens' | 'kind' | 'speculation'>
export type LogLine = (level: 'warn' | 'error', text: string) => void

export interface Llama {
  /** Per conversation. */
  readonly contextTokens: number
  readonly chatTemplate: string | null
  readonly vocabulary: Vocabulary
  /** Address of the vocabulary, for other threads. */
  readonly vocab: bigint
  readonly vocabularyTokens: number
  readonly sequences: number
  /** Those that compute: two if the whole model is on a GPU. */
  readonly threads: number
  /** Maximum number of tokens per step, across all conversations. */
  readonly batchTokens: number
  /** All layers are on a GPU. */
  readonly isOnGpu: boolean
  readonly memory: MemoryPlan
  /** The GPU that it runs on, and the library that uses it; null on the CPU. */
  readonly gpu: string | null
  /** Why it runs on the CPU although it should use a GPU; null otherwise. */
  readonly gpuFault: string | null
  /** Whether the end of a sequence can be removed; not with the state of a recurrent model. */
  readonly canRemoveEnd: boolean
  /**
   * Reads the slices: first those of several tokens, one after the other, then the single tokens together. A draft must be
   * the only slice. The calling thread is one of those that compute and is blocked meanwhile; with `inBackground` another
   * one takes its place, which it has to wait for.
   */
  decode(slices: readonly Slice[], onRead: OnRead, options?: { inBackground?: boolean }): Promise<void>
  /** Sets the thread count for later steps, up to the count at opening. */
  setThreads(threads: number): void
  /** Removes everything after a sequence's first `tokens`. False if the model cannot; the sequence is then empty. */
  keep(sequence: number, tokens: number): boolean
  /** Copies the content of `source` to `target`. */
  copy(source: number, target: number): void
  /** The size of what `save` would return, in bytes. */
  savedBytes(sequence: number): number
  /** The content of a sequence, to be restored into any other one. */
  save(sequence: number): Uint8Array
  /** Replaces the content of a sequence by a saved one. False if that is not possible; the sequence is then empty. */
  restore(sequence: number, saved: Uint8Array): boolean
  close(): void
}

export const openLlama = async (settings: LlamaSettings, log: LogLine): Promise<Llama> => {
  // Errors logged during loading explain why it failed.
  const loadErrors: string[] = []
  const api = loadLlamaApi(settings, (level, text) => {
    if (level === 'error') loadErrors.push(text)
    else log(level, text)
  })
  const failure = (otherwise: string) => new Error(loadErrors[0] ?? otherwise)
  const gpu = loadedGpu()
  const placement = placeModel(settings, gpu, plannedModel(settings))
  const model = await api.llama_model_load_from_file.inBackground(
    settings.weightsPath,
    modelParams(api, settings, placement),
  )
  if (model === null) throw failure('llama.cpp gives no reason')
  const contextTokens = Math.min(settings.contextTokens, api.llama_model_n_ctx_train(model))
  const plan = planModel(api, model, settings, contextTokens)
  const memory = placedMemory({ plan, layers: api.llama_model_n_layer(model), placement, gpu }, settings)
  if (placement.split !== null) log('warn', placement.split)
  const [context, vocabulary] = await Promise.all([
    api.llama_init_from_model.inBackground(model, contextParams(api, { ...settings, contextTokens }, placement)),
    // The context is created on another thread; meanwhile this one scans the vocabulary.
    nextTurn().then(() => openVocabulary(api, api.llama_model_get_vocab(model))),
  ])
  if (context === null) throw failure('llama.cpp could not create a context')
  loadLlamaApi(settings, log)
  return openContext(api, {
    model,
    context,
    vocabulary,
    contextTokens,
    memory,
    settings,
    placement,
    onLost: endWith(log),
  })
}

/** Reads a value of the model's metadata as text; null if it has none. */
export const modelMetadata =
  (api: LlamaApi, model: Pointer) =>
  (key: string): string | null => {
    const text = Buffer.alloc(256)
    const length = api.llama_model_meta_val_str(model, key, text, text.length)
    return length < 0 ? null : text.toString('utf8', 0, Math.min(length, text.length - 1))
  }

export const planModel = (
  api: LlamaApi,
  model: Pointer,
  { slots, cacheType }: Pick<LlamaSettings, 'slots' | 'cacheType'>,
  contextTokens: number,
) => {
  const metadata = modelMetadata(api, model)
  const architecture = metadata('general.architecture')
  const headLength = api.llama_model_n_embd(model) / Math.max(1, api.llama_model_n_head(model))
  const readLength = (name: string) => Number(metadata(`${architecture}.attention.${name}_length`) ?? headLength)
  const shape: ModelShape = {
    layers: api.llama_model_n_layer(model),
    keyValueHeads: api.llama_model_n_head_kv(model),
    keyLength: readLength('key'),
    valueLength: readLength('value'),
    vocabulary: api.llama_vocab_n_tokens(api.llama_model_get_vocab(model)),
  }
  return planMemory({ weights: Number(api.llama_model_size(model)), shape, contextTokens, slots, cacheType })
}

/** Values of llama.cpp's enumerations. */
const cacheTypes = { f16: 1, q8_0: 8 } as const
const flashAttentionTypes = { auto: -1, off: 0, on: 1 } as const

const contextParams = (api: LlamaApi, settings: LlamaSettings, placement: Placement) => ({
  ...api.llama_context_default_params(),
  n_ctx: settings.contextTokens * settings.slots,
  n_batch: placement.batchTokens,
  n_ubatch: placement.microBatchTokens,
  n_seq_max: settings.slots,
  // By default it reserves memory for the results of all tokens of a step, which are many on a GPU.
  n_outputs_max: maxOutputs(settings.slots),
  n_threads: placement.threads,
  n_threads_batch: placement.threads,
  type_k: cacheTypes[settings.cacheType],
  type_v: cacheTypes[settings.cacheType],
  flash_attn_type: flashAttentionTypes[settings.flashAttention],
  kv_unified: false,
  no_perf: true,
})

type Opened = {
  model: Pointer
  context: Pointer
  vocabulary: Vocabulary & { size: number }
  contextTokens: number
  memory: MemoryPlan
  settings: LlamaSettings
  placement: Placement
  onLost: (reason: string) => void
}

const openContext = (api: LlamaApi, opened: Opened): Llama => {
  const { model, context, vocabulary, contextTokens, settings, placement } = opened
  const { threads, batchTokens } = placement
  const threadpool = api.ggml_threadpool_new({
    ...api.ggml_threadpool_params_default(threads),
    poll: pollLevel,
  })
  api.llama_attach_threadpool(context, threadpool, threadpool)
  const sequenceMemory = api.llama_get_memory(context)
  const { check } = createDecodeFaults(opened.onLost)
  const batch = createNativeBatch(api, { context, capacity: batchTokens, vocabularyTokens: vocabulary.size, check })
  return {
    contextTokens,
    chatTemplate: api.llama_model_chat_template(model, null),
    vocabulary,
    vocab: api.llama_model_get_vocab(model),
    vocabularyTokens: vocabulary.size,
    sequences: settings.slots,
    threads,
    batchTokens,
    isOnGpu: placement.gpuLayers === null,
    memory: opened.memory,
    gpu: deviceText(loadedGpu().device, placement, api.llama_model_n_layer(model)),
    gpuFault: loadedGpu().fault,
    canRemoveEnd: !api.llama_model_is_recurrent(model) && !api.llama_model_is_hybrid(model),
    decode: batch.decode,
    setThreads: (count) => api.llama_set_n_threads(context, count, count),
    keep(sequence, tokens) {
      if (tokens > 0 && api.llama_memory_seq_rm(sequenceMemory, sequence, tokens, -1)) return true
      api.llama_memory_seq_rm(sequenceMemory, sequence, -1, -1)
      return tokens === 0
    },
    copy(source, target) {
      api.llama_memory_seq_rm(sequenceMemory, target, -1, -1)
      api.llama_memory_seq_cp(sequenceMemory, source, target, -1, -1)
    },
    savedBytes: (sequence) => Number(api.llama_state_seq_get_size(context, sequence)),
    save(sequence) {
      const size = Number(api.llama_state_seq_get_size(context, sequence))
      const saved = Buffer.allocUnsafeSlow(size)
      const written = Number(api.llama_state_seq_get_data(context, saved, size, sequence))
      if (written !== size) throw new Error('llama.cpp could not save a sequence')
      return saved
    },
    restore(sequence, saved) {
      api.llama_memory_seq_rm(sequenceMemory, sequence, -1, -1)
      if (Number(api.llama_state_seq_set_data(context, saved, saved.length, sequence)) === saved.length) return true
      api.llama_memory_seq_rm(sequenceMemory, sequence, -1, -1)
      return false
    },
    close() {
      batch.free()
      api.llama_free(context)
      api.ggml_threadpool_free(threadpool)
      api.llama_model_free(model)
    },
  }
}

/**
 * From 0 (threads sleep between steps) to 100. Long enough to stay awake while tokens are sampled: waking a thread on an
 * idle core takes longer than that. Short enough to be asleep soon after the last answer.
 */
const pollLevel = 10
