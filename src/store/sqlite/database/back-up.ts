import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type BackupItem, backupTable } from '../../backup-item.ts'
import { integer, text } from '../../operations/row.ts'
import { createPrivateFile } from '../../private-file.ts'
import { StoreFailure } from '../../store-failure.ts'

type BackUpOptions = { directory: string; version: number /** Milliseconds since 1970. */; now: number }

/** Copies the database to `helix-v<version>-<time>.db`. A file of that name is always whole and on the disk. */
export const backUp = (db: DatabaseSync, { directory, version, now }: BackUpOptions): string => {
  const time = new Date(now).toISOString().replace(/[:.]/g, '-')
  const file = join(directory, `helix-v${version}-${time}.db`)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  copyDatabase(db, file)
  return file
}

/** For the write-ahead log of the migration itself. */
const marginBytes = 16_777_216
const megabyte = 1_000_000

/** The size of a copy: pages that are not in use are left out. */
export const backupBytes = (db: DatabaseSync): number => {
  const read = (name: string): number => Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0])
  return (read('page_count') - read('freelist_count')) * read('page_size')
}

/** What a migration of a database of this size needs of the disk. */
export const migrationBytes = (backup: number): number => backup + marginBytes

export const freeBytes = (directory: string): number => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/** Throws before anything is written. */
export const requireRoom = (backup: number, directory: string): void => {
  const [needed, free] = [migrationBytes(backup), freeBytes(directory)]
  if (free >= needed) return
  throw new StoreFailure(
    `A backup is made before the migration, which needs ${Math.ceil(needed / megabyte)} MB of free disk space; ${directory} has ${Math.floor(free / megabyte)} MB. Nothing was changed.`,
  )
}

const keptBackups = 3

/** Those from before migrations; other files are not ours to delete. */
export const removeOldBackups = (directory: string): void => {
  const own = readdirSync(directory)
    .filter((name) => /^helix-v\d+-[\dTZ-]+\.db$/.test(name))
    .map((name) => join(directory, name))
    .map((file) => ({ file, writtenAt: statSync(file).mtimeMs }))
    .sort((one, other) => other.writtenAt - one.writtenAt)
  for (const { file } of own.slice(keptBackups)) rmSync(file, { force: true })
}

/**
 * Writes a snapshot of the database to `file`, which appears only once it is complete and on the disk. Unlike a copy of
 * the pages it contains nothing that was deleted.
 */
export const copyDatabase = (db: DatabaseSync, file: string, items: readonly BackupItem[] = []): void => {
  const partial = `${file}.partial`
  rmSync(partial, { force: true })
  createPrivateFile(partial)
  try {
    db.prepare('VACUUM INTO ?').run(partial)
    if (items.length > 0) addItems(partial, items)
    // VACUUM INTO leaves the syncing to its caller.
    sync(partial)
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
  sync(dirname(file))
}

const addItems = (file: string, items: readonly BackupItem[]): void => {
  using copy = new DatabaseSync(file)
  copy.exec(`PRAGMA journal_mode = DELETE;
    CREATE TABLE ${backupTable} (name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL, is_sealed INTEGER NOT NULL) STRICT`)
  const insert = copy.prepare(`INSERT INTO ${backupTable} (name, content, is_sealed) VALUES (?, ?, ?)`)
  for (const { name, content, isSealed } of items) insert.run(name, content, isSealed ? 1 : 0)
}

/** Of a backup; none in one of an earlier version. */
export const listBackupItems = (db: DatabaseSync): BackupItem[] => {
  if (db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(backupTable) === undefined) return []
  const rows = db.prepare(`SELECT name, content, is_sealed FROM ${backupTable} ORDER BY name`).all()
  return rows.map((row) => ({
    name: text(row, 'name'),
    content: text(row, 'content'),
    isSealed: integer(row, 'is_sealed') === 1,
  }))
}

export const removeBackupItems = (file: string): void => {
  using copy = new DatabaseSync(file)
  copy.exec(`PRAGMA secure_delete = ON; PRAGMA journal_mode = DELETE; DROP TABLE IF EXISTS ${backupTable}`)
}

const sync = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
