/**
 * One model in memory, with a number of sequences that each hold the tokens of one conversation. It reads what it is given and
 * shows the logits; which tokens, in which order, is the decode loop's business.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type LlamaApi, loadLlamaApi, type Pointer } from './llama-api.ts'
import { createNativeBatch, type Slice } from './native-batch.ts'
import { openVocabulary } from './open-vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

export type LlamaSettings = { weightsPath: string; contextTokens: number; slots: number; threads: number; gpu: boolean }
export type LogLine = (level: 'warn' | 'error', text: string) => void

export interface Llama {
  /** Of one conversation. */
  readonly contextTokens: number
  readonly chatTemplate: string | null
  readonly vocabulary: Vocabulary
  readonly vocabularyTokens: number
  readonly sequences: number
  /**
   * Reads the slices in one batch, on other threads. Resolves to a function that shows the logits behind the last token of the
   * slice at an index: a view that the next call overwrites, and that may be changed.
   */
  decode(slices: readonly Slice[]): Promise<(slice: number) => Float32Array>
  /** For the steps to come; as many as it was opened with at most. */
  setThreads(threads: number): void
  /** Forgets what a sequence holds behind its first `tokens`. False where the model cannot: then it holds nothing. */
  keep(sequence: number, tokens: number): boolean
  /** Makes `target` hold what `source` holds. */
  copy(source: number, target: number): void
  close(): void
}

/** As many tokens of all conversations together as one step may hold. */
export const batchTokens = 512

export const openLlama = async (settings: LlamaSettings, log: LogLine): Promise<Llama> => {
  // While it loads, errors are the reason why it cannot.
  const loadErrors: string[] = []
  const api = loadLlamaApi(settings.gpu, (level, text) => {
    if (level === 'error') loadErrors.push(text)
    else log(level, text)
  })
  const failure = (otherwise: string) => new Error(loadErrors[0] ?? otherwise)
  const modelParams = { ...api.llama_model_default_params(), n_gpu_layers: settings.gpu ? -1 : 0 }
  const model = await api.llama_model_load_from_file.inBackground(settings.weightsPath, modelParams)
  if (model === null) throw failure('llama.cpp gives no reason')
  const contextTokens = Math.min(settings.contextTokens, api.llama_model_n_ctx_train(model))
  const [context, vocabulary] = await Promise.all([
    api.llama_init_from_model.inBackground(model, contextParams(api, settings, contextTokens)),
    // The context is created on another thread; this one looks through the vocabulary meanwhile.
    nextTurn().then(() => openVocabulary(api, api.llama_model_get_vocab(model))),
  ])
  if (context === null) throw failure('llama.cpp could not create a context')
  loadLlamaApi(settings.gpu, log)
  return openContext(api, { model, context, vocabulary, contextTokens, settings })
}

const contextParams = (api: LlamaApi, { slots, threads }: LlamaSettings, contextTokens: number) => ({
  ...api.llama_context_default_params(),
  n_ctx: contextTokens * slots,
  n_batch: batchTokens,
  n_ubatch: batchTokens,
  n_seq_max: slots,
  n_threads: threads,
  n_threads_batch: threads,
  kv_unified: false,
  no_perf: true,
})

type Opened = {
  model: Pointer
  context: Pointer
  vocabulary: Vocabulary & { size: number }
  contextTokens: number
  settings: LlamaSettings
}

const openContext = (api: LlamaApi, { model, context, vocabulary, contextTokens, settings }: Opened): Llama => {
  const threadpool = api.ggml_threadpool_new({
    ...api.ggml_threadpool_params_default(settings.threads),
    poll: pollLevel,
  })
  api.llama_attach_threadpool(context, threadpool, threadpool)
  const memory = api.llama_get_memory(context)
  const batch = createNativeBatch(api, { context, capacity: batchTokens, vocabularyTokens: vocabulary.size })
  return {
    contextTokens,
    chatTemplate: api.llama_model_chat_template(model, null),
    vocabulary,
    vocabularyTokens: vocabulary.size,
    sequences: settings.slots,
    decode: batch.decode,
    setThreads: (threads) => api.llama_set_n_threads(context, threads, threads),
    keep(sequence, tokens) {
      if (tokens > 0 && api.llama_memory_seq_rm(memory, sequence, tokens, -1)) return true
      api.llama_memory_seq_rm(memory, sequence, -1, -1)
      return tokens === 0
    },
    copy(source, target) {
      api.llama_memory_seq_rm(memory, target, -1, -1)
      api.llama_memory_seq_cp(memory, source, target, -1, -1)
    },
    close() {
      batch.free()
      api.llama_free(context)
      api.ggml_threadpool_free(threadpool)
      api.llama_model_free(model)
    },
  }
}

/** From 0, which waits for the next step asleep, to 100. */
const pollLevel = 0
