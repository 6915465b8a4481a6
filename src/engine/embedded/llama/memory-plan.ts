import { maxScoredTokens } from '../decoding/batch-planner.ts'
import type { CacheType } from '../load-settings.ts'

/** Memory that a model needs, in bytes. */
export type MemoryPlan = {
  weights: number
  cache: number
  buffers: number
  /** How much of these is in the memory of GPUs; none if absent. */
  gpuBytes?: number
  /** What was free there before it was loaded, as far as it may use it; absent without a GPU, and before the first load. */
  gpuFreeBytes?: number
}

export type ModelShape = {
  layers: number
  keyValueHeads: number
  keyLength: number
  valueLength: number
  vocabulary: number
}

type MemoryOptions = { weights: number; shape: ModelShape; contextTokens: number; slots: number; cacheType: CacheType }

/** Bytes per number; q8_0 adds a two-byte scale per 32 numbers. */
const cacheBytes: Record<CacheType, number> = { f16: 2, q8_0: 34 / 32 }
/** For each sequence: the logits of a step, and those after the prompt, which are kept. Scored prompts take more. */
const logitCopies = 2
const logitBytes = 4
/** A generous estimate of llama.cpp's scratch memory for a batch of 512. */
const scratchTokens = 512
const scratchBytes = 256 * 2 ** 20
/** Maximum number of tokens of a step with results: answers, drafts and scored prompts. llama.cpp ends the process if there are more. */
export const maxOutputs = (slots: number): number => Math.max(slots, scratchTokens)

export const planMemory = ({ weights, shape, contextTokens, slots, cacheType }: MemoryOptions): MemoryPlan => {
  const { layers, keyValueHeads, keyLength, valueLength, vocabulary } = shape
  const tokenBytes = layers * keyValueHeads * (keyLength + valueLength) * cacheBytes[cacheType]
  const logits = (slots * logitCopies + maxScoredTokens) * vocabulary * logitBytes
  return { weights, cache: contextTokens * slots * tokenBytes, buffers: scratchBytes + logits }
}

type EncoderOptions = {
  weights: number
  cache: number
  vocabulary: number
  /** Of the longest input. */
  batchTokens: number
  /** Numbers of a token between and within layers. */
  width: number
  feedForward: number
  heads: number
  /** Without flash attention, every head has a number for each pair of tokens. */
  hasPlainAttention: boolean
  /** llama.cpp keeps a row of logits for each token, also if it has none to compute. */
  hasLogits: boolean
}

/** Node.js with llama.cpp's libraries. */
const processBytes = 128 * 2 ** 20
/** What llama.cpp keeps to tokenise, for each token of a vocabulary. */
const tokeniserBytes = 400
/** How many numbers of either length a token has at the same time. */
const [widthCopies, feedForwardCopies, pairCopies] = [8, 2, 2]
const floatBytes = 4

/** Of a model that reads a whole input at once, and writes nothing: embedding models and rerankers. */
export const planEncoder = (options: EncoderOptions): MemoryPlan => {
  const { weights, cache, vocabulary, batchTokens, width, feedForward, heads } = options
  const { hasPlainAttention, hasLogits } = options
  const tokenNumbers = widthCopies * width + feedForwardCopies * feedForward + (hasLogits ? vocabulary : 0)
  // Which tokens see each other is a table too.
  const pairNumbers = 1 + (hasPlainAttention ? pairCopies * heads : 0)
  const scratch = floatBytes * (batchTokens * tokenNumbers + batchTokens ** 2 * pairNumbers)
  return { weights, cache, buffers: processBytes + vocabulary * tokeniserBytes + scratch }
}

/** The reason why the model does not fit in memory, with the arithmetic; null if it fits. */
export const memoryShortage = (
  plan: MemoryPlan,
  limitBytes: number,
  { slots, contextTokens }: { slots: number; contextTokens: number },
): string | null => {
  const total = totalBytes(plan)
  if (total <= limitBytes) return null
  const parts = `${gigabytes(plan.weights)} of weights, ${gigabytes(plan.cache)} of cache for ${slots} × ${contextTokens} tokens`
  return (
    `needs ${gigabytes(total)} of memory (${parts} and ${gigabytes(plan.buffers)} of buffers), but only ` +
    `${gigabytes(limitBytes)} are available. Lower engineSlots or contextTokens, set engineCacheType to q8_0, or choose a smaller model.`
  )
}

/** What llama.cpp allocates on each GPU beside the model. */
export const gpuBufferBytes = (options: {
  microBatchTokens: number
  slots: number
  vocabulary: number
  devices: number
}): number => {
  const { microBatchTokens, slots, vocabulary, devices } = options
  const scratch = (scratchBytes * microBatchTokens) / scratchTokens
  return devices * (scratch + maxOutputs(slots) * vocabulary * logitBytes)
}

/** The parts of a plan in the GPU's memory and in main memory. `gpuLayers`: null means all; one more than the layers is the output. */
export const splitPlan = (
  plan: MemoryPlan,
  { layers, gpuLayers, gpuBuffers }: { layers: number; gpuLayers: number | null; gpuBuffers: number },
): { gpu: MemoryPlan; main: MemoryPlan } => {
  const share = gpuLayers === null ? 1 : Math.min(1, gpuLayers / (layers + 1))
  const part = (factor: number, buffers: number): MemoryPlan => ({
    weights: plan.weights * factor,
    cache: plan.cache * factor,
    buffers,
  })
  return { gpu: part(share, share === 0 ? 0 : gpuBuffers), main: part(1 - share, plan.buffers) }
}

/** Both parts as one plan. */
export const joinPlan = ({ gpu, main }: { gpu: MemoryPlan; main: MemoryPlan }): MemoryPlan => {
  const gpuBytes = totalBytes(gpu)
  return {
    weights: gpu.weights + main.weights,
    cache: gpu.cache + main.cache,
    buffers: gpu.buffers + main.buffers,
    ...(gpuBytes === 0 ? {} : { gpuBytes }),
  }
}

export const totalBytes = ({ weights, cache, buffers }: MemoryPlan): number => weights + cache + buffers

/** The reason why the GPU's part does not fit in its memory; null if it fits. */
export const gpuShortage = (plan: MemoryPlan, freeBytes: number): string | null => {
  const { weights, cache, buffers } = plan
  const total = totalBytes(plan)
  if (total <= freeBytes) return null
  return (
    `needs ${gigabytes(total)} of the GPU's memory (${gigabytes(weights)} of weights, ${gigabytes(cache)} of cache and ` +
    `${gigabytes(buffers)} of buffers), but only ${gigabytes(freeBytes)} are free. Lower engineGpuLayers, engineSlots or contextTokens, ` +
    'set engineCacheType to q8_0, or choose a smaller model.'
  )
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

/**
 * Memory for the contexts of paused answers that had to make room for others: at most half of what the running ones have, and
 * a quarter of what is left. They are in main memory.
 */
export const savedLimitBytes = (plan: MemoryPlan, limitBytes: number): number =>
  Math.max(0, Math.min(plan.cache / 2, (limitBytes - totalBytes(plan) + (plan.gpuBytes ?? 0)) / 4))
