import { copyFileSync, existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { lockDataDirectory } from '../data-directory.ts'
import { secretKeyFile } from '../secret-key.ts'
import { StoreFailure } from '../store-failure.ts'
import { isOfTarget, sqliteTarget, unfinished } from './sqlite-target.ts'
import type { TargetTables } from './store-tables.ts'

type TargetOptions = {
  path: string
  /** Its `secrets.key` is copied: without it nothing that the store has encrypted can be read. */
  dataDir: string
  clock: Clock
  /** The size of the PostgreSQL database. */
  sourceBytes: number
}

/** PostgreSQL needs at least twice as much for the same rows. */
const sizeRatio = 0.5

/** An empty data directory, or one that was being filled from the same store. */
export const openSqliteTarget = async (
  { path, dataDir, clock, sourceBytes }: TargetOptions,
  store: string,
): Promise<TargetTables> => {
  const directory = resolve(path)
  const secretKey = join(resolve(dataDir), secretKeyFile)
  requireEmpty(directory, secretKey)
  const lock = await lockDataDirectory(directory, { clock, waitMs: 0 })
  try {
    requireSpace(directory, sourceBytes * sizeRatio)
    const target = sqliteTarget({ directory, now: clock.now() })
    const close = async (): Promise<void> => {
      await target.close()
      lock.release()
    }
    const mark = await target.readMark()
    if (mark !== null && mark.store !== store) {
      await close()
      throw new StoreFailure(`The directory ${directory} contains a copy of another store, from ${mark.place}.`)
    }
    return {
      ...target,
      async release() {
        if (existsSync(secretKey) && !existsSync(join(directory, secretKeyFile)))
          copyFileSync(secretKey, join(directory, secretKeyFile))
        await target.release()
      },
      close,
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Before hours are spent on a copy that cannot be completed. */
const requireSpace = (directory: string, neededBytes: number): void => {
  const { bavail, bsize } = statfsSync(directory)
  const copiedBytes = statSync(join(directory, unfinished), { throwIfNoEntry: false })?.size ?? 0
  const freeBytes = bavail * bsize
  if (copiedBytes + freeBytes < neededBytes)
    throw new StoreFailure(
      `The copy needs about ${inGigabytes(neededBytes - copiedBytes)} GB in ${directory}, where ${inGigabytes(freeBytes)} GB are free.`,
    )
}

const inGigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1)

const requireEmpty = (directory: string, secretKey: string): void => {
  if (!existsSync(directory)) return
  const copied = join(directory, secretKeyFile)
  const isCopied = existsSync(copied) && existsSync(secretKey) && readFileSync(copied).equals(readFileSync(secretKey))
  const others = readdirSync(directory).filter((name) => !isOfTarget(name) && !(name === secretKeyFile && isCopied))
  if (others.length > 0)
    throw new StoreFailure(
      `The directory ${directory} is not empty (it contains ${others.slice(0, 3).join(', ')}): specify a new one.`,
    )
}
