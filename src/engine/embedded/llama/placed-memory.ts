import { memoryLimitBytes } from '../../memory-limit.ts'
import { ModelRefused } from '../../model-refused.ts'
import type { LoadSettings } from '../load-settings.ts'
import type { GpuUse } from './find-gpu.ts'
import type { LlamaApi } from './llama-api.ts'
import { gpuShortage, joinPlan, type MemoryPlan, memoryShortage, planMemory, splitPlan } from './memory-plan.ts'
import type { Placement, PlannedModel } from './place-model.ts'

type ModelSettings = Pick<LoadSettings, 'description' | 'contextTokens' | 'slots' | 'cacheType'>

/** What the files say, before they are loaded; null if that is not enough. */
export const plannedModel = (settings: ModelSettings): PlannedModel | null => {
  const { description, contextTokens, slots, cacheType } = settings
  if (description === undefined || description.cacheShape === null) return null
  const shape = { ...description.cacheShape, vocabulary: description.vocabularyTokens ?? 0 }
  return { shape, plan: planMemory({ weights: description.sizeBytes, shape, contextTokens, slots, cacheType }) }
}

const splitModes = { none: 0, layer: 1, row: 2 } as const

export const modelParams = (
  api: LlamaApi,
  settings: Pick<LoadSettings, 'splitMode' | 'mainGpu'>,
  { gpuLayers }: Placement,
) => ({
  ...api.llama_model_default_params(),
  // A negative number means all layers.
  n_gpu_layers: gpuLayers ?? -1,
  split_mode: splitModes[settings.splitMode ?? 'layer'],
  main_gpu: settings.mainGpu ?? 0,
})

type PlacedModel = { plan: MemoryPlan; layers: number; placement: Placement; gpu: GpuUse }
type Refusable = Pick<LoadSettings, 'gpu' | 'weightsPath' | 'slots' | 'contextTokens' | 'splitMode' | 'mainGpu'>

/** The plan of a model with its part on the GPU. Refuses one that does not fit. */
export const placedMemory = ({ plan, layers, placement, gpu }: PlacedModel, settings: Refusable): MemoryPlan => {
  const { gpuLayers, gpuBuffers } = placement
  const parts = splitPlan(plan, { layers, gpuLayers, gpuBuffers })
  const { splitMode, mainGpu = 0, weightsPath } = settings
  const free = splitMode === 'none' ? gpu.freeBytes.slice(mainGpu, mainGpu + 1) : gpu.freeBytes
  const gpuFreeBytes = free.reduce((sum, bytes) => sum + bytes, 0)
  const shortage =
    memoryShortage(gpu.sharesMemory ? joinPlan(parts) : parts.main, memoryLimitBytes(), settings) ??
    gpuShortage(parts.gpu, gpuFreeBytes)
  if (shortage !== null) throw new ModelRefused(`${weightsPath} ${shortage}`)
  if (settings.gpu === 'required' && placement.gpuLayers === 0 && placement.split !== null)
    throw new ModelRefused(`engineGpu is set to required, but nothing of ${weightsPath} fits. ${placement.split}`)
  const { gpuBytes, ...whole } = joinPlan(parts)
  return gpuBytes === undefined || gpu.sharesMemory ? whole : { ...whole, gpuBytes, gpuFreeBytes }
}

/** What the operator sees: the device, and how many layers it runs if not all. */
export const deviceText = (device: string | null, { gpuLayers }: Placement, layers: number): string | null =>
  device === null || gpuLayers === null || gpuLayers > layers
    ? device
    : `${device}, ${gpuLayers} of ${layers + 1} layers`
