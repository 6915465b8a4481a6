import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { type FileLock, tryFileLock } from '../../store/file-lock.ts'

/** Whoever downloads into a folder, adds a file to it or deletes it holds its lock: the server, or a command. */
const lockPath = (folder: string): string => join(folder, 'pull.lock')

/** A look at the lock takes it for an instant. Not a round time, so that tests can tell this timer. */
const lookMs = 53

/** Null if another holder has it. */
export const lockPull = async (folder: string, clock: Clock): Promise<FileLock | null> => {
  const lock = tryFileLock(lockPath(folder))
  if (lock !== null) return lock
  await new Promise<void>((resolve) => clock.after(lookMs, resolve))
  return tryFileLock(lockPath(folder))
}

/** Whether somebody holds it at this moment. */
export const isPullLocked = (folder: string): boolean => {
  // A look creates the file, also in a folder that is just being deleted.
  if (!existsSync(lockPath(folder))) return false
  const lock = tryFileLock(lockPath(folder))
  lock?.release()
  return lock === null
}
