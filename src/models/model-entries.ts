import { type Config, settings } from '../config/settings.ts'
import { upstreamDefaultModel } from '../config/upstream-default-model.ts'
import type { ListedModel, ModelList } from './model-list-file.ts'

/** A model on this machine that is to be served, from the settings or the list in the data directory. */
export type ModelEntry = {
  /** Null: the model's own. */
  name: string | null
  path: string
  aliases: readonly string[]
  /** Null: the model's own. */
  contextTokens: number | null
  slots: number
  /** 0: it stays loaded. */
  idleMinutes: number
  isDefault: boolean
  /** Overrides the setting `engineGpuLayers`. */
  gpuLayers?: number
  /** Its entry in the list of the data directory; absent if the settings define the model. */
  listed?: ListedModel
}

type EntrySettings = Pick<
  Config,
  'model' | 'modelName' | 'contextTokens' | 'models' | 'engineSlots' | 'modelIdleMinutes'
> &
  Parameters<typeof upstreamDefaultModel>[0]

/**
 * The settings come first. Exactly one is the default, unless an upstream is: the one selected with `helix models default`,
 * else the one marked in `models`, else the first.
 */
export const modelEntries = (config: EntrySettings, list: ModelList): ModelEntry[] => {
  const { engineSlots, modelIdleMinutes } = config
  const common = { slots: engineSlots, idleMinutes: modelIdleMinutes, isDefault: false }
  const { model: path, modelName: name, contextTokens } = config
  const single = { ...common, name, path, aliases: [], contextTokens }
  const several = config.models.map((model) => ({
    name: model.name,
    path: model.path,
    aliases: model.aliases,
    contextTokens: model.contextTokens,
    slots: model.slots ?? engineSlots,
    idleMinutes: model.idleMinutes ?? modelIdleMinutes,
    isDefault: model.default && list.default === null,
  }))
  const listed = list.models.map((model) => ({
    ...common,
    name: model.name,
    path: model.path,
    aliases: model.aliases,
    contextTokens: model.contextTokens,
    isDefault: model.name === list.default,
    slots: model.slots ?? engineSlots,
    ...(model.gpuLayers === undefined ? {} : { gpuLayers: model.gpuLayers }),
    listed: model,
  }))
  const entries: ModelEntry[] = [...(isSingleServed(config) ? [single] : []), ...several, ...listed]
  if (upstreamDefaultModel(config) !== null || entries.some(({ isDefault }) => isDefault)) return entries
  return entries.map((entry, index) => ({ ...entry, isDefault: index === 0 }))
}

/** `model` is shorthand for one model; beside `models`, the bundled one is not served unless it is listed. */
const isSingleServed = (config: EntrySettings): boolean =>
  upstreamDefaultModel(config) === null && (config.models.length === 0 || config.model !== settings.model.default)
