import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { errorMessage } from '../../base/caught-error.ts'
import type { SqliteMigration } from '../migrations/migration.ts'
import { requireSupported, type SupportRow, supportRow, supportTable } from '../migrations/supported-version.ts'
import { integer } from '../operations/row.ts'
import { StoreFailure } from '../store-failure.ts'
import { backUp, backupBytes, removeOldBackups, requireRoom } from './database/back-up.ts'

type MigrateOptions = {
  /** Oldest first. */
  migrations: readonly SqliteMigration[]
  backupDirectory: string
  /** Milliseconds since 1970. */
  now: number
}

/** What was done; `backup` is null for a new database. */
export type Migrated = { from: number; to: number; backup: string | null }

/**
 * Brings the schema up to date in one transaction: afterwards the database is at the newest version, or as it was. Null:
 * there was nothing to do.
 */
export const migrate = (db: DatabaseSync, { migrations, backupDirectory, now }: MigrateOptions): Migrated | null => {
  const version = schemaVersion(db)
  const newest = migrations.at(-1)?.id ?? 0
  requireSupported(version, newest, listSupport(db))
  const due = migrations.filter(({ id }) => id > version)
  if (due.length === 0) return null
  const backup = isFresh(db) ? null : backUpBefore(db, { directory: backupDirectory, version, now })
  // SQLite rebuilds tables safely only without enforcement, which cannot be switched inside a transaction.
  db.exec('PRAGMA foreign_keys = OFF')
  try {
    applyAll(db, due, now)
  } finally {
    db.exec('PRAGMA foreign_keys = ON')
  }
  if (backup !== null) removeOldBackups(backupDirectory)
  return { from: version, to: newest, backup }
}

const backUpBefore = (db: DatabaseSync, options: Parameters<typeof backUp>[1]): string => {
  requireRoom(backupBytes(db), dirname(options.directory))
  return backUp(db, options)
}

const applyAll = (db: DatabaseSync, due: readonly SqliteMigration[], now: number): void => {
  let current = ''
  db.exec('BEGIN IMMEDIATE')
  try {
    db.exec(`CREATE TABLE IF NOT EXISTS schema_migrations (
      id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL
    ) STRICT`)
    db.exec(`CREATE TABLE IF NOT EXISTS ${supportTable} (
      id INTEGER NOT NULL PRIMARY KEY, readable_since INTEGER NOT NULL
    ) STRICT`)
    const support = db.prepare(`INSERT INTO ${supportTable} (id, readable_since) VALUES (?, ?)`)
    const record = db.prepare('INSERT INTO schema_migrations (id, name, applied_at) VALUES (?, ?, ?)')
    for (const migration of due) {
      const { id, name, sqlite } = migration
      current = `${id} (${name})`
      db.exec(sqlite)
      if (db.prepare('PRAGMA foreign_key_check').get() !== undefined) throw new Error('it breaks a foreign key')
      record.run(id, name, now)
      support.run(id, supportRow(migration).readableSince)
    }
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    const reason = errorMessage(error)
    throw new StoreFailure(`Migration ${current} failed and was rolled back: ${reason}`, { cause: error })
  }
}

export const schemaVersion = (db: DatabaseSync): number => {
  if (!hasTable(db, 'schema_migrations')) return 0
  const row = db.prepare('SELECT coalesce(max(id), 0) AS version FROM schema_migrations').get()
  return row === undefined ? 0 : integer(row, 'version')
}

/** Databases of earlier versions have no such table. */
export const listSupport = (db: DatabaseSync): SupportRow[] => {
  if (!hasTable(db, supportTable)) return []
  const rows = db.prepare(`SELECT id, readable_since FROM ${supportTable}`).all()
  return rows.map((row) => ({ id: integer(row, 'id'), readableSince: integer(row, 'readable_since') }))
}

const hasTable = (db: DatabaseSync, name: string): boolean =>
  db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined

const isFresh = (db: DatabaseSync): boolean => db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
