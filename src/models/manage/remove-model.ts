import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/operator-error.ts'
import type { Config } from '../../config/settings.ts'
import type { FileLock } from '../../store/file-lock.ts'
import { findListed, requireModelName, withoutModel } from '../edit-model-list.ts'
import { changeModelList, type ListedModel, modelsFolder } from '../model-list-file.ts'
import { readModelRows } from '../model-rows.ts'
import { lockPull } from '../pull/pull-lock.ts'

/** A model of the list, or an incomplete download, which is not in it. */
export type RemovableModel = {
  name: string
  isListed: boolean
  /** Deleted with it; null if its files are not ours to delete. */
  folder: string | null
  sizeBytes: number | null
}

/** Throws an `OperatorError` if it cannot be removed. */
export const findRemovable = async (config: Config, name: string): Promise<RemovableModel> => {
  const { list, rows } = await readModelRows(config)
  if (rows.some((row) => !row.listed && row.name === name))
    throw new OperatorError(`${name} is defined in the settings: to remove it, change the settings`)
  const unlisted = join(modelsFolder(config.dataDir), requireModelName(name))
  if (!list.models.some((model) => isNamed(model, name)) && existsSync(unlisted))
    return { name, isListed: false, folder: unlisted, sizeBytes: null }
  const model = findListed(list, name)
  withoutModel(list, name)
  const sizeBytes = rows.find((each) => each.name === model.name)?.size_bytes ?? null
  return { name: model.name, isListed: true, folder: pulledFolder(model, config.dataDir), sizeBytes }
}

/** `apply` makes the server stop serving it before its files are deleted. */
export const removeModel = async (
  { name, isListed, folder }: RemovableModel,
  { config, clock, apply }: { config: Config; clock: Clock; apply(): Promise<void> },
): Promise<void> => {
  if (isListed) await changeModelList(config.dataDir, clock, (newest) => withoutModel(newest, name))
  await apply()
  if (folder === null) return
  const lock = isListed ? null : await requirePullLock(name, folder, clock)
  try {
    await rm(folder, { recursive: true, force: true })
  } finally {
    lock?.release()
  }
}

/** Of an incomplete download, which the server may be continuing. */
const requirePullLock = async (name: string, folder: string, clock: Clock): Promise<FileLock> => {
  const lock = await lockPull(folder, clock)
  if (lock === null)
    throw new OperatorError(`Another process is downloading ${name}, such as the server: stop it there first`)
  return lock
}

const isNamed = ({ name, aliases }: ListedModel, wanted: string): boolean => name === wanted || aliases.includes(wanted)

const pulledFolder = ({ pulledFrom, path }: ListedModel, dataDir: string): string | null => {
  const folder = dirname(path)
  return pulledFrom !== null && join(modelsFolder(dataDir), basename(folder)) === folder ? folder : null
}
