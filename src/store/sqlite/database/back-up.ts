import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { createPrivateFile } from '../../private-file.ts'

type BackUpOptions = { directory: string; version: number /** Milliseconds since 1970. */; now: number }

/** Copies the database to `helix-v<version>-<time>.db`. A file of that name is always whole and on the disk. */
export const backUp = (db: DatabaseSync, { directory, version, now }: BackUpOptions): string => {
  const time = new Date(now).toISOString().replace(/[:.]/g, '-')
  const file = join(directory, `helix-v${version}-${time}.db`)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  copyDatabase(db, file)
  return file
}

/**
 * Writes a snapshot of the database to `file`, which appears only once it is complete and on the disk. Unlike a copy of
 * the pages it contains nothing that was deleted.
 */
export const copyDatabase = (db: DatabaseSync, file: string): void => {
  const partial = `${file}.partial`
  rmSync(partial, { force: true })
  createPrivateFile(partial)
  try {
    db.prepare('VACUUM INTO ?').run(partial)
    // VACUUM INTO leaves the syncing to its caller.
    sync(partial)
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
  sync(dirname(file))
}

const sync = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
