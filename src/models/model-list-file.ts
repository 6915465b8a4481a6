/**
 * The list of models in the data directory, `models/models.json`: what `helix models` writes and the server reads.
 * Fields of newer versions are kept when the file is written again.
 */
import { mkdir, open, rename } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import { isObject, type JsonObject, readJsonObject } from '../engine/json-file.ts'
import { tryFileLock } from '../store/file-lock.ts'
import { shownAddress } from './pull/shown-address.ts'

export type ListedModel = {
  name: string
  /** Absolute path of a GGUF file or a model folder. */
  path: string
  aliases: readonly string[]
  /** Null: the model's own. */
  contextTokens: number | null
  /** The address the files were downloaded from, without its query. Null if they were added by their path; those are never deleted. */
  pulledFrom: string | null
  /** Overrides the setting `engineSlots`. */
  slots?: number
  /** Overrides the setting `engineGpuLayers`. */
  gpuLayers?: number
}
export type ModelList = {
  /** The name of the default model. Null: the model of the settings. */
  default: string | null
  models: readonly ListedModel[]
}

export const modelsFolder = (dataDir: string): string => join(resolve(dataDir), 'models')
export const modelListPath = (dataDir: string): string => join(modelsFolder(dataDir), 'models.json')

/** Empty if the file does not exist. Throws an `OperatorError` that names the file if it is damaged. */
export const readModelList = async (dataDir: string): Promise<ModelList> => {
  const path = modelListPath(dataDir)
  const json = (await readJsonObject(path)) ?? {}
  const refuse: Refuse = (what) => {
    throw new OperatorError(`${path}: ${what}: correct the file, or delete it to start with an empty list.`)
  }
  const models = json.models ?? []
  if (!Array.isArray(models)) return refuse('models must be a list')
  const listed = models.map((value: unknown, index) =>
    readListed(value, `models[${index}]`, modelsFolder(dataDir), refuse),
  )
  const names = listed.flatMap(({ name, aliases }) => [name, ...aliases])
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) refuse(`the name or alias "${twice}" appears twice`)
  const selected = json.default ?? null
  if (selected !== null && !listed.some(({ name }) => name === selected)) refuse('default must be the name of a model')
  return { ...json, default: selected === null ? null : String(selected), models: listed }
}

/** Applies a change to the newest list and writes it atomically; concurrent changes wait for each other. */
export const changeModelList = async (
  dataDir: string,
  clock: Clock,
  change: (list: ModelList) => ModelList,
): Promise<ModelList> => {
  const folder = modelsFolder(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = await waitForLock(join(folder, 'models.lock'), clock)
  try {
    const changed = change(await readModelList(dataDir))
    await writeDurably(
      folder,
      modelListPath(dataDir),
      `${JSON.stringify(withRelativePaths(changed, folder), null, 2)}\n`,
    )
    return changed
  } finally {
    release()
  }
}

type Refuse = (what: string) => never

const readListed = (value: unknown, where: string, folder: string, refuse: Refuse): ListedModel => {
  if (!isObject(value)) return refuse(`${where} must be an object`)
  const aliases = value.aliases ?? []
  if (!Array.isArray(aliases) || !aliases.every(isText)) return refuse(`${where}.aliases must be a list of strings`)
  const contextTokens = value.contextTokens ?? null
  if (contextTokens !== null && !isCount(contextTokens)) return refuse(`${where}.contextTokens must be a whole number`)
  const pulledFrom = value.pulledFrom ?? null
  if (pulledFrom !== null && !isText(pulledFrom)) return refuse(`${where}.pulledFrom must be an address`)
  const { slots, gpuLayers } = value
  if (slots !== undefined && !isCount(slots)) return refuse(`${where}.slots must be a whole number`)
  if (gpuLayers !== undefined && gpuLayers !== 0 && !isCount(gpuLayers))
    return refuse(`${where}.gpuLayers must be a whole number`)
  const { name, path } = value
  if (!isText(name)) return refuse(`${where}.name must be a string`)
  if (!isText(path)) return refuse(`${where}.path must be a path`)
  const own = { ...(slots === undefined ? {} : { slots }), ...(gpuLayers === undefined ? {} : { gpuLayers }) }
  const from = pulledFrom === null ? null : shownAddress(pulledFrom)
  return { ...value, name, path: resolve(folder, path), aliases, contextTokens, pulledFrom: from, ...own }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** Files in the data directory are named relative to it, so that it can be moved. */
const withRelativePaths = (list: ModelList, folder: string): JsonObject => ({
  ...list,
  models: list.models.map((model) => {
    const inside = relative(folder, model.path)
    return { ...model, path: inside.startsWith('..') || isAbsolute(inside) ? model.path : inside }
  }),
})

const retryMs = 50
const waitMs = 30_000

const waitForLock = async (file: string, clock: Clock): Promise<() => void> => {
  const giveUpAtMs = clock.monotonicMs() + waitMs
  for (;;) {
    const lock = tryFileLock(file)
    if (lock !== null) return lock.release
    if (clock.monotonicMs() >= giveUpAtMs)
      throw new OperatorError(`Another command is changing the list of models (${file}): try again.`)
    await new Promise<void>((done) => clock.after(retryMs, done))
  }
}

/** The rename replaces the file in one step; the folder is synced so that it outlasts a power failure. */
const writeDurably = async (folder: string, path: string, text: string): Promise<void> => {
  const draft = `${path}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
