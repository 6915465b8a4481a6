import type { LoadSettings } from '../load-settings.ts'
import type { GpuUse } from './find-gpu.ts'
import { gpuBufferBytes, type MemoryPlan, type ModelShape, splitPlan, totalBytes } from './memory-plan.ts'

/** Where a model runs, and what follows from it. */
export type Placement = {
  /** Layers on the GPU, the output counted as one more; null: all. */
  gpuLayers: number | null
  threads: number
  /** Maximum number of tokens per step, across all conversations. */
  batchTokens: number
  /** The part of a step that is computed at once. */
  microBatchTokens: number
  /** Memory that llama.cpp takes on GPUs beside the model. */
  gpuBuffers: number
  /** For the operator: not all layers fit; null otherwise. */
  split: string | null
}

type PlacementSettings = Pick<LoadSettings, 'gpuLayers' | 'splitMode' | 'mainGpu' | 'threads' | 'slots'>
/** From the metadata of the weights, before they are loaded. */
export type PlannedModel = { plan: MemoryPlan; shape: ModelShape }

/** On a CPU larger batches are no faster. */
const cpuBatchTokens = 512
/** A GPU reads prompts faster in large batches, if it has the memory. */
const gpuBatchTokens = 2048
const microBatches = [2048, 1024, 512]
/** With all layers on a GPU, the CPU only looks up the tokens: more threads would wait for each other and take the cores of others. */
const threadsBesideGpu = 2
/** The rest is left to the driver and to other programs. */
const usableShare = 0.95

/**
 * All layers on the GPU, with their part of the cache, or as many as fit, unless a number is set. `model`: null if its files do not
 * say enough to plan.
 */
export const placeModel = (settings: PlacementSettings, gpu: GpuUse, model: PlannedModel | null): Placement => {
  const { threads, slots, splitMode } = settings
  const onCpu = { threads, batchTokens: cpuBatchTokens, microBatchTokens: cpuBatchTokens, split: null }
  if (gpu.device === null) return { ...onCpu, gpuLayers: 0, gpuBuffers: 0 }
  const freeBytes = usableBytes(settings, gpu)
  const devices = splitMode === 'none' ? 1 : Math.max(1, gpu.freeBytes.length)
  const vocabulary = model?.shape.vocabulary ?? 0
  const buffers = (microBatchTokens: number) => gpuBufferBytes({ microBatchTokens, slots, vocabulary, devices })
  const wanted = settings.gpuLayers ?? null
  const onGpu = (microBatchTokens: number): Placement => ({
    ...{ gpuLayers: null, threads: Math.min(threads, threadsBesideGpu), split: null },
    ...{ batchTokens: gpuBatchTokens, microBatchTokens, gpuBuffers: buffers(microBatchTokens) },
  })
  if (model === null)
    return wanted === null
      ? onGpu(cpuBatchTokens)
      : { ...onCpu, gpuLayers: wanted, gpuBuffers: buffers(cpuBatchTokens) }

  const { plan, shape } = model
  const all = shape.layers + 1
  const gpuBytes = (gpuLayers: number | null, gpuBuffers: number): number =>
    totalBytes(splitPlan(plan, { layers: shape.layers, gpuLayers, gpuBuffers }).gpu)
  if (wanted === null || wanted >= all) {
    const size = microBatches.find((tokens) => gpuBytes(null, buffers(tokens)) <= freeBytes)
    // What the operator asks for is refused later if it does not fit.
    if (size !== undefined || wanted !== null) return onGpu(size ?? cpuBatchTokens)
  }
  const gpuBuffers = buffers(cpuBatchTokens)
  if (wanted !== null) return { ...onCpu, gpuLayers: wanted, gpuBuffers }
  let fitting = shape.layers
  while (fitting > 0 && gpuBytes(fitting, gpuBuffers) > freeBytes) fitting -= 1
  const split =
    `The model needs ${gigabytes(gpuBytes(null, gpuBuffers))} of the GPU's memory, of which ${gigabytes(freeBytes)} can be used: ` +
    `${fitting} of ${all} layers run on the GPU and the others on the CPU, which is slower. Set engineCacheType to q8_0, ` +
    'lower engineSlots or contextTokens, or choose a smaller model.'
  return { ...onCpu, gpuLayers: fitting, gpuBuffers, split }
}

const usableBytes = ({ splitMode, mainGpu = 0 }: PlacementSettings, { freeBytes }: GpuUse): number => {
  const used = splitMode === 'none' ? freeBytes.slice(mainGpu, mainGpu + 1) : freeBytes
  return usableShare * used.reduce((sum, bytes) => sum + bytes, 0)
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
