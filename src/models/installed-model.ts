import type { InstalledModel } from './contract.ts'
import type { DescribedModel } from './describe-models.ts'
import { plannedMemory } from './planned-memory.ts'

export const describeInstalled = (
  described: DescribedModel,
  settings: Parameters<typeof plannedMemory>[1],
): InstalledModel => {
  const { entry, files } = described
  const { listed } = entry
  const description = files?.description ?? null
  return {
    source: listed === undefined ? 'settings' : 'list',
    pulledFrom: listed?.pulledFrom ?? null,
    ownsFiles: typeof listed?.pulledFrom === 'string',
    quantisation: description?.quantisation ?? null,
    parameters: description?.parameters ?? null,
    licence: files?.licence ?? description?.licence ?? null,
    trainedContextTokens: description?.trainedContextTokens ?? null,
    layers: description?.cacheShape?.layers ?? null,
    needed: plannedMemory(described, settings),
    own: {
      contextTokens: entry.contextTokens,
      slots: listed?.slots ?? null,
      gpuLayers: listed?.gpuLayers ?? null,
    },
  }
}
