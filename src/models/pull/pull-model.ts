/**
 * Downloads a model into the data directory and adds it to the list. Interrupted downloads are continued by the next
 * pull; nothing appears under its name before it is complete and checked.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/operator-error.ts'
import { inspectWeights } from '../../engine/inspect-weights.ts'
import { readJsonObject } from '../../engine/json-file.ts'
import { ModelRefused } from '../../engine/model-refused.ts'
import { hashFiles } from '../../engine/verify-weights.ts'
import { GgufRefused } from '../../gguf/gguf-refused.ts'
import { readGguf } from '../../gguf/read-gguf.ts'
import { withModel } from '../edit-model-list.ts'
import { changeModelList, type ListedModel, modelsFolder, readModelList } from '../model-list-file.ts'
import { requireTrainedContext } from '../require-trained-context.ts'
import type { FreeBytes } from './disk-space.ts'
import { type DownloadProgress, downloadFile } from './download-file.ts'
import type { ModelSource, SourceFile } from './model-source.ts'
import { finishPart, partPath, removePart } from './part-file.ts'
import { lockPull } from './pull-lock.ts'
import { shownAddress } from './shown-address.ts'

export type PullProgress = DownloadProgress & { fileName: string }
type PullOptions = {
  dataDir: string
  source: ModelSource
  model: Pick<ListedModel, 'name' | 'aliases' | 'contextTokens'>
  /** One for each file, in lower case; null if none were given. */
  sha256: readonly string[] | null
  token: string | null
  freeBytes: FreeBytes
  clock: Clock
  signal: AbortSignal
  onProgress(progress: PullProgress): void
  /** Names and aliases that the settings use. */
  taken: readonly string[]
}
/** `isNew` is false if the model was pulled from this address before. */
type PulledModel = { model: ListedModel; isNew: boolean }

export const pullModel = async (options: PullOptions): Promise<PulledModel> => {
  const { dataDir, source, clock, taken } = options
  const folder = join(modelsFolder(dataDir), options.model.name)
  const paths = source.files.map(({ fileName }) => join(folder, fileName))
  const from = source.files[0]?.url.href ?? ''
  const model: ListedModel = { ...options.model, path: paths[0] ?? folder, pulledFrom: shownAddress(from) }
  const list = await readModelList(dataDir)
  const existing = list.models.find(({ name, pulledFrom }) => name === model.name && pulledFrom === model.pulledFrom)
  if (existing !== undefined && (await wasPulledFrom(folder, from))) return { model: existing, isNew: false }
  withModel(list, model, taken)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = await lockPull(folder, clock)
  if (lock === null) throw new OperatorError(`Another command is downloading ${model.name} at the moment`)
  try {
    // A model of this name may have been added before the lock was taken.
    withModel(await readModelList(dataDir), model, taken)
    await forgetOtherSource(folder, paths, from)
    for (const [index, file] of source.files.entries()) await download(options, folder, file, options.sha256?.[index])
    const description = await inspectWeights(paths).catch(async (error: unknown) => {
      if (error instanceof ModelRefused) await removePulled(folder, paths)
      throw error
    })
    // The files stay: the same command with a shorter context takes them.
    requireTrainedContext(model.contextTokens, description)
    await changeModelList(dataDir, clock, (newest) => withModel(newest, model, taken))
    return { model, isNew: true }
  } finally {
    await removeUnlessUsed(folder)
    lock.release()
  }
}

/** A pull that brought nothing leaves nothing. */
const removeUnlessUsed = async (folder: string): Promise<void> => {
  const files = await readdir(folder).catch(() => [])
  if (files.every((name) => name === 'pull.json' || name === 'pull.lock'))
    await rm(folder, { recursive: true, force: true })
}

/** Only what a pull writes: the folder may contain files of others. */
const removePulled = async (folder: string, paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    await rm(path, { force: true })
    await removePart(path)
  }
  await rm(addressFile(folder), { force: true })
}

const addressFile = (folder: string): string => join(folder, 'pull.json')

/** With its query, which may name another file and is not in the list. */
const wasPulledFrom = async (folder: string, from: string): Promise<boolean> => {
  const known = await readJsonObject(addressFile(folder)).catch(() => null)
  return (known?.from ?? shownAddress(from)) === from
}

/** Files of another address must not be taken for parts of this model. */
const forgetOtherSource = async (folder: string, paths: readonly string[], from: string): Promise<void> => {
  const file = addressFile(folder)
  const known = await readJsonObject(file).catch(() => null)
  if (known?.from === from) return
  await removePulled(folder, paths)
  await writeFile(file, JSON.stringify({ from }), { mode: 0o600 })
}

/** A file in its place was complete and checked: an earlier pull ended after it. */
const download = async (options: PullOptions, folder: string, { url, fileName }: SourceFile, expected?: string) => {
  const path = join(folder, fileName)
  if (existsSync(path)) return
  const { token, freeBytes, clock, signal } = options
  const onProgress = (progress: DownloadProgress) => options.onProgress({ ...progress, fileName })
  const announced = await downloadFile({ url, path, token, freeBytes, clock, signal, onProgress })
  const wrong = await findProblem(partPath(path), expected ?? announced)
  if (wrong !== null) {
    await removePart(path)
    throw new OperatorError(`${shownAddress(url.href)} ${wrong}; the download was deleted`)
  }
  await finishPart(path)
}

const findProblem = async (path: string, sha256: string | null): Promise<string | null> => {
  if (sha256 !== null) {
    const [hash] = await hashFiles([path])
    if (hash === undefined || 'code' in hash) throw new OperatorError(`${path} cannot be read (${hash?.code})`)
    if (hash.sha256 !== sha256) return `has the SHA-256 ${hash.sha256}, but ${sha256} was expected`
  }
  try {
    await readGguf(path)
    return null
  } catch (error) {
    if (error instanceof GgufRefused) return error.message
    throw error
  }
}
