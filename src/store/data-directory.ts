import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../base/clock.ts'
import { createPrivateFile } from './private-file.ts'
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
const sqliteBusy = 5

/** Referenced here as well: the garbage collector would release a lock without references. */
const held = new Set<DatabaseSync>()

export const lockDataDirectory = async (path: string, { clock, waitMs }: LockOptions): Promise<DataDirectory> => {
  const directory = resolve(path)
  makeDirectory(directory)
  const giveUpAtMs = clock.monotonicMs() + waitMs
  for (;;) {
    const lock = tryLock(directory)
    if (lock !== null) return { path: directory, release: () => release(lock) }
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
    throw cannotUse(directory, isFile ? 'it is not a directory' : reasonOf(error))
  }
}

/**
 * Node has no flock. An exclusive transaction on a small database takes a kernel lock, which ends with the process even
 * on kill -9 and leaves nothing behind that someone would have to remove.
 */
const tryLock = (directory: string): DatabaseSync | null => {
  const file = join(directory, 'helix.lock')
  let lock: DatabaseSync | undefined
  try {
    createPrivateFile(file)
    lock = new DatabaseSync(file, { timeout: 0 })
    // In memory, so that a killed holder leaves no journal file.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return null
    throw cannotUse(directory, reasonOf(error))
  }
  held.add(lock)
  return lock
}

const release = (lock: DatabaseSync): void => {
  if (held.delete(lock)) lock.close()
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

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return ('code' in error && reasons[String(error.code)]) || error.message
}
