import type { Config } from '../config/settings.ts'
import { memoryLimitBytes } from '../engine/memory-limit.ts'
import { type DescribedModel, describeModels } from '../models/describe-models.ts'
import { modelEntries } from '../models/model-entries.ts'
import { readModelList } from '../models/model-list-file.ts'
import { mainMemory, memoryRefusal, onGpu, sumMemory } from '../models/model-memory.ts'
import { plannedMemory } from '../models/planned-memory.ts'

/** How much memory each model needs when it is loaded. Throws if one can never be loaded. */
export const checkMemory = async (config: Config): Promise<string> => {
  const limitBytes = config.modelMemoryLimitBytes ?? memoryLimitBytes()
  // What cannot be read is a finding of another check.
  const list = await readModelList(config.dataDir).catch(() => null)
  if (list === null) return 'not known: the list of models cannot be read'
  const described = await describeModels(modelEntries(config, list), silent)
  const readable = described.filter(({ files }) => files !== null)
  for (const model of readable) {
    const memory = plannedMemory(model, config)
    if (mainMemory(memory) > limitBytes) throw new Error(`${model.id} ${memoryRefusal(memory, limitBytes)}`)
  }
  const plans = readable.map((model) => describePlan(model, config))
  return [...plans, `${gigabytes(limitBytes)} available`].join('; ')
}

const describePlan = (model: DescribedModel, config: Config): string => {
  const memory = plannedMemory(model, config)
  const context = `${model.entry.slots} × ${model.files?.served.contextTokens} tokens`
  const parts = [
    `${gigabytes(memory.weights)} of weights`,
    `${gigabytes(memory.cache)} of cache for ${context}`,
    `${gigabytes(memory.buffers)} of buffers`,
  ]
  return `${model.id} needs ${gigabytes(sumMemory(memory))} (${parts.join(', ')}${onGpu(memory)})`
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
const silent = { info: () => {}, warn: () => {}, error: () => {} }
