import type { Config } from '../config/settings.ts'
import { gpuBufferBytes, joinPlan, planMemory, splitPlan } from '../engine/embedded/llama/memory-plan.ts'
import type { ModelMemory } from './contract.ts'
import type { DescribedModel } from './describe-models.ts'

/**
 * From the metadata of the files: with a GPU, the layers that are to run there count as its memory. Once the model was loaded, the
 * figures of its engine count.
 */
export const plannedMemory = (
  { entry, files }: DescribedModel,
  { engineCacheType, engineGpu, engineGpuLayers }: Pick<Config, 'engineCacheType' | 'engineGpu' | 'engineGpuLayers'>,
): ModelMemory => {
  if (files === null) return { weights: 0, cache: 0, buffers: 0 }
  const { sizeBytes, cacheShape, vocabularyTokens } = files.description
  const { layers, keyValueHeads, keyLength, valueLength } = cacheShape ?? unknownShape
  const { slots } = entry
  const vocabulary = vocabularyTokens ?? 0
  const plan = planMemory({
    weights: sizeBytes,
    shape: { layers, keyValueHeads, keyLength, valueLength, vocabulary },
    contextTokens: files.served.contextTokens,
    slots,
    cacheType: engineCacheType,
  })
  if (engineGpu === false || sharesMemory) return plan
  const gpuBuffers = gpuBufferBytes({ microBatchTokens: leastMicroBatch, slots, vocabulary, devices: 1 })
  return joinPlan(splitPlan(plan, { layers, gpuLayers: entry.gpuLayers ?? engineGpuLayers, gpuBuffers }))
}

/** Of Apple's GPUs. */
const sharesMemory = process.platform === 'darwin'
const leastMicroBatch = 512

const unknownShape = { layers: 0, keyValueHeads: 0, keyLength: 0, valueLength: 0 }
