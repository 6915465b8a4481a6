import type { ModelMemory } from './contract.ts'

export const sumMemory = ({ weights, cache, buffers }: ModelMemory): number => weights + cache + buffers

/** Without what is in the memory of GPUs. */
export const mainMemory = (memory: ModelMemory): number => sumMemory(memory) - (memory.gpuBytes ?? 0)

/** Why a model can never be loaded, with the arithmetic. */
export const memoryRefusal = (memory: ModelMemory, limitBytes: number): string =>
  `needs ${gigabytes(sumMemory(memory))} of memory (${gigabytes(memory.weights)} of weights, ${gigabytes(memory.cache)} of cache ` +
  `and ${gigabytes(memory.buffers)} of buffers${onGpu(memory)}), but all models together may use ${gigabytes(limitBytes)}. ` +
  'Lower its slots or contextTokens, or raise modelMemoryLimitBytes.'

/** The part of a model on the GPU, after the other parts. */
export const onGpu = ({ gpuBytes = 0 }: ModelMemory): string =>
  gpuBytes === 0 ? '' : `; ${gigabytes(gpuBytes)} of these on the GPU`

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
