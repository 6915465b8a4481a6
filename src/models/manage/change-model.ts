import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/operator-error.ts'
import type { Config } from '../../config/settings.ts'
import { memoryLimitBytes } from '../../engine/memory-limit.ts'
import { describeModels } from '../describe-models.ts'
import { findListed, withModel } from '../edit-model-list.ts'
import { modelEntries } from '../model-entries.ts'
import { changeModelList, type ListedModel, type ModelList, readModelList } from '../model-list-file.ts'
import { mainMemory, memoryRefusal } from '../model-memory.ts'
import { readModelRows } from '../model-rows.ts'
import { plannedMemory } from '../planned-memory.ts'
import { takenNames } from '../taken-names.ts'

/** What is missing stays as it is; null: the value of the settings, or the model's own. */
export type ModelChanges = {
  aliases?: readonly string[] | undefined
  contextTokens?: number | null | undefined
  slots?: number | null | undefined
  gpuLayers?: number | null | undefined
}

/** Changes a model of the list. Throws an `OperatorError` if it could not be served with the changes. */
export const changeModel = async (
  { config, clock }: { config: Config; clock: Clock },
  name: string,
  changes: ModelChanges,
): Promise<void> => {
  const taken = takenNames((await readModelRows(config)).rows)
  const apply = (list: ModelList): ModelList => {
    const before = findListed(list, name)
    const others = list.models.filter((model) => model !== before)
    const after = withChanges(before, changes)
    withModel({ ...list, models: others }, after, taken)
    return { ...list, models: list.models.map((model) => (model === before ? after : model)) }
  }
  await requireServable(config, apply(await readModelList(config.dataDir)), name)
  await changeModelList(config.dataDir, clock, apply)
}

const withChanges = (model: ListedModel, changes: ModelChanges): ListedModel => {
  const { slots: oldSlots = null, gpuLayers: oldLayers = null, ...rest } = model
  const { aliases = model.aliases, contextTokens = model.contextTokens } = changes
  const { slots = oldSlots, gpuLayers = oldLayers } = changes
  return {
    ...rest,
    ...{ aliases, contextTokens },
    ...(slots === null ? {} : { slots }),
    ...(gpuLayers === null ? {} : { gpuLayers }),
  }
}

const silent = { info: () => {}, warn: () => {}, error: () => {} }

const requireServable = async (config: Config, list: ModelList, name: string): Promise<void> => {
  const entries = modelEntries(config, list).filter((entry) => entry.listed?.name === name)
  const [model] = await describeModels(entries, silent)
  if (model === undefined) return
  if (model.failure !== null) throw new OperatorError(model.failure.replaceAll(model.entry.path, name))
  const memory = plannedMemory(model, config)
  const limitBytes = config.modelMemoryLimitBytes ?? memoryLimitBytes()
  if (mainMemory(memory) > limitBytes) throw new OperatorError(`${name} ${memoryRefusal(memory, limitBytes)}`)
}
