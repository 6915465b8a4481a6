import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { BackupItem } from '../../backup-item.ts'
import type { DataDirectory } from '../../data-directory.ts'
import { failureReason } from '../../failure-reason.ts'
import { migrations } from '../../migrations/migrations.ts'
import { requireSupported } from '../../migrations/supported-version.ts'
import { StoreFailure } from '../../store-failure.ts'
import { listSupport, schemaVersion } from '../migrate.ts'
import { copyDatabase, listBackupItems, removeBackupItems } from './back-up.ts'

/**
 * Throws, with the reason, unless `file` is a whole database of ours that this version can read, and `directory` empty or
 * absent. It changes nothing: what is refused is left without a trace.
 */
export const checkRestore = (file: string, directory: string): void => {
  readBackup(file)
  checkEmpty(directory)
}

/** What a backup contains. Throws, with the reason, unless it is whole and this version can read it. */
export const readBackup = (file: string): { version: number; items: BackupItem[] } => {
  if (!existsSync(file)) throw new StoreFailure(`File not found: ${file}.`)
  return read(file, (db) => ({ version: schemaVersion(db), items: listBackupItems(db) }))
}

/** Fills a data directory from a backup. The caller has locked it. */
export const restoreDatabase = (file: string, directory: DataDirectory): void => {
  checkEmpty(directory.path)
  const target = join(directory.path, 'helix.db')
  read(file, (db) => copyDatabase(db, target))
  removeBackupItems(target)
}

const checkEmpty = (directory: string): void => {
  if (!existsSync(directory)) return
  const held = readdirSync(directory).filter((name) => name !== 'helix.lock')
  if (held.length === 0) return
  const some = held.slice(0, 3).join(', ')
  throw new StoreFailure(
    `The data directory ${directory} is not empty (it contains ${some}): move it away, or specify another directory.`,
  )
}

const read = <Result>(file: string, work: (db: DatabaseSync) => Result): Result => {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true })
    checkContent(db)
    return work(db)
  } catch (error) {
    throw new StoreFailure(`Cannot restore ${file}: ${failureReason(error)}`, { cause: error })
  } finally {
    db?.close()
  }
}

const checkContent = (db: DatabaseSync): void => {
  const finding = db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check
  if (finding !== 'ok') throw new Error(`it is damaged (${String(finding).replace(/\s+/g, ' ')})`)
  const version = schemaVersion(db)
  if (version === 0) throw new Error('it is not a Helix database')
  const newest = migrations.at(-1)?.id ?? 0
  try {
    requireSupported(version, newest, listSupport(db))
  } catch {
    throw new Error(
      `it is at version ${version}, but this program supports only versions up to ${newest}: run a newer version of Helix`,
    )
  }
}
