import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { errorCode, errorMessage } from '../base/caught-error.ts'
import type { Clock } from '../base/clock.ts'
import { type FileLock, tryFileLock } from './file-lock.ts'
import { StoreFailure } from './store-failure.ts'

/** A data directory that only this process may use, until it is released or the process ends. */
export interface DataDirectory {
  /** Absolute. */
  readonly path: string
  release(): void
}

export class DataDirectoryBusy extends StoreFailure {
  override readonly name = 'DataDirectoryBusy'

  constructor(path: string) {
    super(`The data directory ${path} is in use by another Helix process.`)
  }
}

type LockOptions = {
  clock: Clock /** How long to wait for a short holder, such as a command, to finish. */
  waitMs: number
}

const retryMs = 50

export const lockDataDirectory = async (path: string, { clock, waitMs }: LockOptions): Promise<DataDirectory> => {
  const directory = resolve(path)
  makeDirectory(directory)
  const giveUpAtMs = clock.monotonicMs() + waitMs
  for (;;) {
    const lock = tryLock(directory)
    if (lock !== null) return { path: directory, release: lock.release }
    if (clock.monotonicMs() >= giveUpAtMs) throw new DataDirectoryBusy(directory)
    await new Promise<void>((done) => clock.after(retryMs, done))
  }
}

const makeDirectory = (directory: string): void => {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const isFile = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false
    throw cannotUse(directory, isFile ? 'it is not a directory' : fileSystemReason(error))
  }
}

const tryLock = (directory: string): FileLock | null => {
  try {
    return tryFileLock(join(directory, 'helix.lock'))
  } catch (error) {
    throw cannotUse(directory, fileSystemReason(error))
  }
}

const cannotUse = (directory: string, reason: string): StoreFailure =>
  new StoreFailure(`Cannot use ${directory} as the data directory: ${reason}.`)

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is not a directory',
  ENOSPC: 'the disk is full',
}

const fileSystemReason = (error: unknown): string => reasons[errorCode(error)] ?? errorMessage(error)
