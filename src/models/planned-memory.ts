import type { Config } from '../config/settings.ts'
import { planMemory } from '../engine/embedded/llama/memory-plan.ts'
import type { ModelMemory } from './contract.ts'
import type { DescribedModel } from './describe-models.ts'

/** From the metadata of the files. Once the model was loaded, the figures of its engine count. */
export const plannedMemory = (
  { entry, files }: DescribedModel,
  { engineCacheType }: Pick<Config, 'engineCacheType'>,
): ModelMemory => {
  if (files === null) return { weights: 0, cache: 0, buffers: 0 }
  const { sizeBytes, cacheShape, vocabularyTokens } = files.description
  const { layers, keyValueHeads, keyLength, valueLength } = cacheShape ?? unknownShape
  return planMemory({
    weights: sizeBytes,
    shape: { layers, keyValueHeads, keyLength, valueLength, vocabulary: vocabularyTokens ?? 0 },
    contextTokens: files.served.contextTokens,
    slots: entry.slots,
    cacheType: engineCacheType,
  })
}

const unknownShape = { layers: 0, keyValueHeads: 0, keyLength: 0, valueLength: 0 }
