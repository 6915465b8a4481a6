import type { ModelMemory } from './contract.ts'

export const sumMemory = ({ weights, cache, buffers }: ModelMemory): number => weights + cache + buffers

/** Why a model can never be loaded, with the arithmetic. */
export const memoryRefusal = (memory: ModelMemory, limitBytes: number): string =>
  `needs ${gigabytes(sumMemory(memory))} of memory (${gigabytes(memory.weights)} of weights, ${gigabytes(memory.cache)} of cache ` +
  `and ${gigabytes(memory.buffers)} of buffers), but all models together may use ${gigabytes(limitBytes)}. ` +
  'Lower its slots or contextTokens, or raise modelMemoryLimitBytes.'

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
