/**
 * One model in memory, with several sequences that each contain the tokens of one conversation. It reads tokens and
 * returns logits; the decode loop decides which tokens, in which order.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { memoryLimitBytes } from '../../memory-limit.ts'
import { ModelRefused } from '../../model-refused.ts'
import type { LoadSettings } from '../load-settings.ts'
import type { GpuUse } from './find-gpu.ts'
import { type LlamaApi, loadedGpu, loadLlamaApi, type Pointer } from './llama-api.ts'
import { gpuShortage, type MemoryPlan, memoryShortage, planMemory, splitPlan } from './memory-plan.ts'
import { createNativeBatch, type OnRead, type Slice } from './native-batch.ts'
import { openVocabulary } from './open-vocabulary.ts'
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

/** Maximum number of tokens per step, across all conversations. */
export const batchTokens = 512

export const openLlama = async (settings: LlamaSettings, log: LogLine): Promise<Llama> => {
  // Errors logged during loading explain why it failed.
  const loadErrors: string[] = []
  const api = loadLlamaApi(settings, (level, text) => {
    if (level === 'error') loadErrors.push(text)
    else log(level, text)
  })
  const failure = (otherwise: string) => new Error(loadErrors[0] ?? otherwise)
  const model = await api.llama_model_load_from_file.inBackground(settings.weightsPath, modelParams(api, settings))
  if (model === null) throw failure('llama.cpp gives no reason')
  const contextTokens = Math.min(settings.contextTokens, api.llama_model_n_ctx_train(model))
  const memory = planModel(api, model, settings, contextTokens)
  const gpu = loadedGpu()
  const { gpu: onGpu, main } = splitPlan(memory, api.llama_model_n_layer(model), gpuLayers(settings, gpu))
  const shortage =
    memoryShortage(main, memoryLimitBytes(), { ...settings, contextTokens }) ?? gpuShortage(onGpu, gpu.freeBytes)
  if (shortage !== null) throw new ModelRefused(`${settings.weightsPath} ${shortage}`)
  const threads = usedThreads(settings, gpu)
  const [context, vocabulary] = await Promise.all([
    api.llama_init_from_model.inBackground(model, contextParams(api, { ...settings, threads }, contextTokens)),
    // The context is created on another thread; meanwhile this one scans the vocabulary.
    nextTurn().then(() => openVocabulary(api, api.llama_model_get_vocab(model))),
  ])
  if (context === null) throw failure('llama.cpp could not create a context')
  loadLlamaApi(settings, log)
  return openContext(api, { model, context, vocabulary, contextTokens, memory, settings: { ...settings, threads } })
}

const splitModes = { none: 0, layer: 1, row: 2 } as const

const modelParams = (api: LlamaApi, settings: LlamaSettings) => ({
  ...api.llama_model_default_params(),
  // A negative number means all layers.
  n_gpu_layers: settings.gpu === false ? 0 : (settings.gpuLayers ?? -1),
  split_mode: splitModes[settings.splitMode ?? 'layer'],
  main_gpu: settings.mainGpu ?? 0,
})

/** Of the layers, how many are on a GPU; null: all. */
const gpuLayers = (settings: LlamaSettings, { device }: GpuUse): number | null =>
  device === null ? 0 : (settings.gpuLayers ?? null)

/** With all layers on a GPU, the CPU only looks up the tokens: more threads would wait for each other and take the cores of others. */
const threadsBesideGpu = 2
const usedThreads = (settings: LlamaSettings, gpu: GpuUse): number =>
  gpuLayers(settings, gpu) === null ? Math.min(settings.threads, threadsBesideGpu) : settings.threads

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
  const shape = {
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

const contextParams = (api: LlamaApi, settings: LlamaSettings, contextTokens: number) => ({
  ...api.llama_context_default_params(),
  n_ctx: contextTokens * settings.slots,
  n_batch: batchTokens,
  n_ubatch: batchTokens,
  n_seq_max: settings.slots,
  n_threads: settings.threads,
  n_threads_batch: settings.threads,
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
}

const openContext = (api: LlamaApi, opened: Opened): Llama => {
  const { model, context, vocabulary, contextTokens, settings } = opened
  const threadpool = api.ggml_threadpool_new({
    ...api.ggml_threadpool_params_default(settings.threads),
    poll: pollLevel,
  })
  api.llama_attach_threadpool(context, threadpool, threadpool)
  const sequenceMemory = api.llama_get_memory(context)
  const batch = createNativeBatch(api, { context, capacity: batchTokens, vocabularyTokens: vocabulary.size })
  return {
    contextTokens,
    chatTemplate: api.llama_model_chat_template(model, null),
    vocabulary,
    vocab: api.llama_model_get_vocab(model),
    vocabularyTokens: vocabulary.size,
    sequences: settings.slots,
    threads: settings.threads,
    memory: opened.memory,
    gpu: loadedGpu().device,
    gpuFault: loadedGpu().fault,
    canRemoveEnd: !api.llama_model_is_recurrent(model) && !api.llama_model_is_hybrid(model),
    decode: batch.decode,
    setThreads: (threads) => api.llama_set_n_threads(context, threads, threads),
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
