import type { DatabaseSync } from 'node:sqlite'
import { errorMessage } from '../../base/caught-error.ts'
import type { SqliteMigration } from '../migrations/migration.ts'
import { integer } from '../operations/row.ts'
import { StoreFailure } from '../store-failure.ts'
import { backUp } from './database/back-up.ts'

type MigrateOptions = {
  /** Oldest first. */
  migrations: readonly SqliteMigration[]
  backupDirectory: string
  /** Milliseconds since 1970. */
  now: number
}

/** Brings the schema up to date in one transaction: afterwards the database is at the newest version, or as it was. */
export const migrate = (db: DatabaseSync, { migrations, backupDirectory, now }: MigrateOptions): void => {
  const version = schemaVersion(db)
  const newest = migrations.at(-1)?.id ?? 0
  if (version > newest) {
    throw new StoreFailure(
      `The database is at version ${version}, but this program supports only versions up to ${newest}: run a newer version of Helix.`,
    )
  }
  const due = migrations.filter(({ id }) => id > version)
  if (due.length === 0) return
  if (!isFresh(db)) backUp(db, { directory: backupDirectory, version, now })
  // SQLite rebuilds tables safely only without enforcement, which cannot be switched inside a transaction.
  db.exec('PRAGMA foreign_keys = OFF')
  try {
    applyAll(db, due, now)
  } finally {
    db.exec('PRAGMA foreign_keys = ON')
  }
}

const applyAll = (db: DatabaseSync, due: readonly SqliteMigration[], now: number): void => {
  let current = ''
  db.exec('BEGIN IMMEDIATE')
  try {
    db.exec(`CREATE TABLE IF NOT EXISTS schema_migrations (
      id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL
    ) STRICT`)
    const record = db.prepare('INSERT INTO schema_migrations (id, name, applied_at) VALUES (?, ?, ?)')
    for (const { id, name, sqlite } of due) {
      current = `${id} (${name})`
      db.exec(sqlite)
      if (db.prepare('PRAGMA foreign_key_check').get() !== undefined) throw new Error('it breaks a foreign key')
      record.run(id, name, now)
    }
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    const reason = errorMessage(error)
    throw new StoreFailure(`Migration ${current} failed and was rolled back: ${reason}`, { cause: error })
  }
}

export const schemaVersion = (db: DatabaseSync): number => {
  const tracked = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get()
  if (tracked === undefined) return 0
  const row = db.prepare('SELECT coalesce(max(id), 0) AS version FROM schema_migrations').get()
  return row === undefined ? 0 : integer(row, 'version')
}

const isFresh = (db: DatabaseSync): boolean => db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
