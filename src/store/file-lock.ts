import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile } from './private-file.ts'

/** A lock between processes. It ends with its process, even on kill -9. */
export type FileLock = { release(): void }

const sqliteBusy = 5

/** Referenced here as well: the garbage collector would release a lock without references. */
const held = new Set<DatabaseSync>()

/**
 * Locks the file, which is created if necessary; null if another holder has it. Node has no flock. An exclusive
 * transaction on a small database takes a kernel lock and leaves nothing behind that someone would have to remove.
 */
export const tryFileLock = (file: string): FileLock | null => {
  let lock: DatabaseSync | undefined
  try {
    createPrivateFile(file)
    lock = new DatabaseSync(file, { timeout: 0 })
    // In memory, so that a killed holder leaves no journal file.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return null
    throw error
  }
  const database = lock
  held.add(database)
  return {
    release() {
      if (held.delete(database)) database.close()
    },
  }
}
