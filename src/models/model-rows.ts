import type { Config } from '../config/settings.ts'
import { upstreamDefaultModel } from '../config/upstream-default-model.ts'
import type { ModelFiles } from '../engine/model-folder.ts'
import { configuredUpstreams } from '../upstreams/configured-upstreams.ts'
import { describeModels } from './describe-models.ts'
import { modelEntries } from './model-entries.ts'
import { type ModelList, readModelList } from './model-list-file.ts'

/** One model as `helix models list` shows it. */
export type ModelRow = {
  name: string
  default: boolean
  /** Null if the files cannot be used, like the next four. */
  kind: string | null
  size_bytes: number | null
  context_length: number | null
  parameters: number | null
  quantisation: string | null
  aliases: readonly string[]
  /** Null: an upstream. */
  path: string | null
  pulled_from: string | null
  /** False: it comes from the settings. */
  listed: boolean
  /** Why it cannot be served; null if it can. */
  problem: string | null
}

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const unknown = { kind: null, size_bytes: null, context_length: null, parameters: null, quantisation: null }

/** The models of the settings, then those of the list. */
export const readModelRows = async (config: Config): Promise<{ list: ModelList; rows: ModelRow[] }> => {
  const list = await readModelList(config.dataDir)
  return { list, rows: await listModelRows(config, list) }
}

export const listModelRows = async (config: Config, list: ModelList): Promise<ModelRow[]> => {
  const entries = modelEntries(config, list)
  const listed = new Map(
    entries.slice(entries.length - list.models.length).map((entry, index) => [entry, list.models[index]]),
  )
  const described = await describeModels(entries, silent)
  const rows = described.map(({ entry, id, aliases, files, failure }) => ({
    name: id,
    default: entry.isDefault && upstreamDefaultModel(config) === null,
    ...(files === null ? unknown : describeFiles(files)),
    aliases,
    path: entry.path,
    pulled_from: listed.get(entry)?.pulledFrom ?? null,
    listed: listed.has(entry),
    problem: failure,
  }))
  const ofUpstreams = upstreamRows(config).filter(({ name }) => !rows.some((row) => row.name === name))
  return [...ofUpstreams.filter((row) => row.default), ...rows, ...ofUpstreams.filter((row) => !row.default)]
}

/** Models that the settings name; those that an upstream lists itself are in the list of the server. */
const upstreamRows = (config: Config): ModelRow[] => {
  const common = { path: null, pulled_from: null, listed: false, problem: null }
  const first = upstreamDefaultModel(config)
  const named = new Map(
    configuredUpstreams(config)
      .flatMap(({ models }) => models ?? [])
      .map((model) => [model.name, model]),
  )
  return [...named.values()].map(({ name, aliases, contextTokens }) => ({
    ...{ ...unknown, ...common, name, aliases, context_length: contextTokens, kind: 'chat', default: name === first },
  }))
}

export const describeFiles = ({ served, description }: ModelFiles) => ({
  kind: description.kind,
  size_bytes: description.sizeBytes,
  context_length: served.contextTokens,
  parameters: description.parameters,
  quantisation: description.quantisation,
})

export const sizeText = (bytes: number): string => {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} KB`
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
