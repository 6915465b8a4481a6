import { maxScoredTokens } from '../decoding/batch-planner.ts'
import type { CacheType } from '../load-settings.ts'

/** Memory that a model needs, in bytes. */
export type MemoryPlan = { weights: number; cache: number; buffers: number }

type ModelShape = {
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
const scratchBytes = 256 * 2 ** 20

export const planMemory = ({ weights, shape, contextTokens, slots, cacheType }: MemoryOptions): MemoryPlan => {
  const { layers, keyValueHeads, keyLength, valueLength, vocabulary } = shape
  const tokenBytes = layers * keyValueHeads * (keyLength + valueLength) * cacheBytes[cacheType]
  const logits = (slots * logitCopies + maxScoredTokens) * vocabulary * logitBytes
  return { weights, cache: contextTokens * slots * tokenBytes, buffers: scratchBytes + logits }
}

/** The reason why the model does not fit in memory, with the arithmetic; null if it fits. */
export const memoryShortage = (
  plan: MemoryPlan,
  limitBytes: number,
  { slots, contextTokens }: { slots: number; contextTokens: number },
): string | null => {
  const total = plan.weights + plan.cache + plan.buffers
  if (total <= limitBytes) return null
  const parts = `${gigabytes(plan.weights)} of weights, ${gigabytes(plan.cache)} of cache for ${slots} × ${contextTokens} tokens`
  return (
    `needs ${gigabytes(total)} of memory (${parts} and ${gigabytes(plan.buffers)} of buffers), but only ` +
    `${gigabytes(limitBytes)} are available. Lower engineSlots or contextTokens, set engineCacheType to q8_0, or choose a smaller model.`
  )
}

/** The parts of a plan in the GPU's memory and in main memory. `gpuLayers`: null means all; one more than the layers is the output. */
export const splitPlan = (
  plan: MemoryPlan,
  layers: number,
  gpuLayers: number | null,
): { gpu: MemoryPlan; main: MemoryPlan } => {
  const share = gpuLayers === null ? 1 : Math.min(1, gpuLayers / (layers + 1))
  const part = (factor: number, buffers: number): MemoryPlan => ({
    weights: plan.weights * factor,
    cache: plan.cache * factor,
    buffers,
  })
  return { gpu: part(share, share === 0 ? 0 : scratchBytes), main: part(1 - share, plan.buffers) }
}

/** The reason why the GPU's part does not fit in its memory; null if it fits. */
export const gpuShortage = ({ weights, cache, buffers }: MemoryPlan, freeBytes: number): string | null => {
  const total = weights + cache + buffers
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
 * a quarter of what is left.
 */
export const savedLimitBytes = ({ weights, cache, buffers }: MemoryPlan, limitBytes: number): number =>
  Math.max(0, Math.min(cache / 2, (limitBytes - weights - cache - buffers) / 4))
