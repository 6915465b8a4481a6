import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { integer, text } from '../operations/row.ts'
import { writeMoveMark } from '../sqlite/database/move-mark.ts'
import { openUnfinished } from '../sqlite/database/open-database.ts'
import { prepared } from '../sqlite/database/prepared.ts'
import { StoreFailure } from '../store-failure.ts'
import { noSpace } from './no-space.ts'
import { keyCondition, names, sqliteTables } from './sqlite-tables.ts'
import type { LastNumbers, Table, TargetTables } from './store-tables.ts'

type OpenOptions = {
  /** Locked by this process. */
  directory: string
  /** Milliseconds since 1970. */
  now: number
}

export const unfinished = 'helix.db.incoming'

/**
 * A new database in a directory. It has its own name only once it is complete. Triggers are created at the end, and foreign
 * keys are checked then: while a server writes, the rows of two tables are not of the same moment.
 */
export const sqliteTarget = ({ directory, now }: OpenOptions): TargetTables => {
  const file = join(directory, unfinished)
  const db = openUnfinished({ file, backupDirectory: directory, now })
  let triggers: string[] = []
  let isClosed = false
  const close = (): void => {
    if (!isClosed) db.close()
    isClosed = true
  }
  return {
    ...sqliteTables(db, file, directory),
    storable: (row) => row,
    async prepare(mark) {
      db.exec(`CREATE TABLE IF NOT EXISTS suspended_triggers (sql TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS move_verified (
          name TEXT PRIMARY KEY, up_to INTEGER NOT NULL, version INTEGER NOT NULL) STRICT`)
      db.exec('BEGIN IMMEDIATE')
      for (const row of db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()) {
        db.prepare('INSERT INTO suspended_triggers VALUES (?)').run(text(row, 'sql'))
        db.exec(`DROP TRIGGER ${text(row, 'name')}`)
      }
      db.exec('COMMIT')
      triggers = db
        .prepare('SELECT sql FROM suspended_triggers')
        .all()
        .map((row) => text(row, 'sql'))
      writeMoveMark(db, mark)
    },
    async replace(table, keys, rows) {
      db.exec('BEGIN IMMEDIATE')
      try {
        const remove = prepared(db, `DELETE FROM ${table.name} WHERE ${keyCondition(table)}`)
        for (const key of keys) remove.run(...key)
        const add = prepared(db, insertInto(table))
        for (const row of rows) add.run(...row)
        db.exec('COMMIT')
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw isFull(error) ? new StoreFailure(noSpace(directory), { cause: error }) : error
      }
    },
    async readVerified(table) {
      const row = prepared(db, `SELECT up_to FROM move_verified WHERE name = ? AND ${isCurrent}`).get(table)
      return row === undefined ? null : integer(row, 'up_to')
    },
    async writeVerified(table, upTo) {
      prepared(db, 'INSERT OR REPLACE INTO move_verified SELECT ?, ?, max(id) FROM schema_migrations').run(table, upTo)
    },
    async complete(lastNumbers) {
      const orphan = db.prepare('PRAGMA foreign_key_check').get()
      if (orphan !== undefined)
        throw new StoreFailure(`A row of ${orphan.table} refers to a row of ${orphan.parent} that does not exist.`)
      db.exec('BEGIN IMMEDIATE')
      for (const sql of triggers) db.exec(sql)
      continueNumbers(db, lastNumbers)
      db.exec(`UPDATE ledger_settled SET up_to = coalesce(
        (SELECT min(sequence) - 1 FROM ledger_reservations
          WHERE NOT EXISTS (SELECT 1 FROM ledger_settlements WHERE reservation = sequence)),
        (SELECT max(sequence) FROM ledger_reservations), 0)`)
      db.exec('DROP TABLE suspended_triggers; COMMIT')
    },
    async release() {
      db.exec('DROP TABLE move_verified')
      writeMoveMark(db, null)
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      close()
      sync(file)
      renameSync(file, join(directory, 'helix.db'))
      sync(directory)
    },
    close: async () => close(),
  }
}

/** A migration may change any row. */
const isCurrent = 'version = (SELECT max(id) FROM schema_migrations)'

const insertInto = ({ name, columns }: Table): string =>
  `INSERT OR IGNORE INTO ${name} (${names(columns)}) VALUES (${columns.map(() => '?').join(', ')})`

/** Tables with AUTOINCREMENT never reuse the numbers of deleted rows. */
const continueNumbers = (db: DatabaseSync, lastNumbers: LastNumbers): void => {
  const promising = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
  for (const row of promising.all()) {
    const name = text(row, 'name')
    const last = lastNumbers.get(name) ?? 0
    const { changes } = db.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(last, name)
    if (Number(changes) === 0) db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, last)
  }
}

const sqliteFull = 13

const isFull = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === sqliteFull

const sync = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A file of a copy that was begun, in a directory that is otherwise empty. */
export const isOfTarget = (name: string): boolean => name.startsWith(unfinished) || name === 'helix.lock'
