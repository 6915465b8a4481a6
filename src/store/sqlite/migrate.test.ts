import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openScratchStore, scratchDirectory } from '../../../test/harness/scratch-store.ts'
import type { SqliteMigration } from '../migrations/migration.ts'
import { migrations } from '../migrations/migrations.ts'
import { migrate } from './migrate.ts'

const now = Date.UTC(2026, 10, 15, 10, 30)
const first: SqliteMigration = { id: 1, name: 'fruit', sqlite: 'CREATE TABLE fruit (name TEXT NOT NULL) STRICT' }
const second: SqliteMigration = {
  id: 2,
  name: 'colour',
  sqlite: "ALTER TABLE fruit ADD COLUMN colour TEXT DEFAULT 'green'",
}
const broken: SqliteMigration = { id: 3, name: 'mistake', sqlite: 'DROP TABLE fruit; CREATE TABLE fruit (' }

const migrateFile = (path: string, list: readonly SqliteMigration[]): void => {
  const db = new DatabaseSync(join(path, 'helix.db'))
  try {
    migrate(db, { migrations: list, backupDirectory: join(path, 'backups'), now })
  } finally {
    db.close()
  }
}

const query = (file: string, sql: string): unknown[] => {
  const db = new DatabaseSync(file)
  try {
    return db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
  } finally {
    db.close()
  }
}

const withOneApple = (path: string): string => {
  migrateFile(path, [first])
  const file = join(path, 'helix.db')
  query(file, "INSERT INTO fruit VALUES ('apple') RETURNING name")
  return file
}

test('the listed migrations count up from 1 without a gap', () => {
  expect(migrations.map(({ id }) => id)).toEqual(migrations.map((_, index) => index + 1))
})

test('a fresh database gets every migration and needs no backup', () => {
  using scratch = scratchDirectory()
  migrateFile(scratch.path, [first, second])
  expect(query(join(scratch.path, 'helix.db'), 'SELECT * FROM schema_migrations')).toEqual([
    { id: 1, name: 'fruit', applied_at: now },
    { id: 2, name: 'colour', applied_at: now },
  ])
  expect(readdirSync(scratch.path)).toEqual(['helix.db'])
})

test('an older database is backed up, then brought up to date with its rows', () => {
  using scratch = scratchDirectory()
  const file = withOneApple(scratch.path)
  migrateFile(scratch.path, [first, second])
  expect(query(file, 'SELECT * FROM fruit')).toEqual([{ name: 'apple', colour: 'green' }])
  const backup = join(scratch.path, 'backups', 'helix-v1-2026-11-15T10-30-00-000Z.db')
  expect(readdirSync(join(scratch.path, 'backups'))).toHaveLength(1)
  expect(query(backup, 'SELECT * FROM fruit')).toEqual([{ name: 'apple' }])
  expect(query(backup, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(statSync(backup).mode & 0o777).toBe(0o600)
})

test('an up-to-date database is neither changed nor backed up', () => {
  using scratch = scratchDirectory()
  const file = withOneApple(scratch.path)
  const before = readFileSync(file)
  migrateFile(scratch.path, [first])
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(readdirSync(scratch.path)).toEqual(['helix.db'])
})

test('a failing migration leaves the file as it was, also what earlier steps of the same start did', () => {
  using scratch = scratchDirectory()
  const file = withOneApple(scratch.path)
  const before = readFileSync(file)
  expect(() => migrateFile(scratch.path, [first, second, broken])).toThrow(
    /^Migration 3 \(mistake\) failed and was rolled back: /,
  )
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('a table can be rebuilt while others refer to it, but a broken reference is refused', () => {
  using scratch = scratchDirectory()
  const tables = {
    id: 1,
    name: 'tables',
    sqlite: 'CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a REFERENCES a)',
  }
  migrateFile(scratch.path, [tables])
  const file = join(scratch.path, 'helix.db')
  query(file, 'INSERT INTO a VALUES (1) RETURNING id')
  query(file, 'INSERT INTO b VALUES (1) RETURNING a')
  const drop = { id: 2, name: 'drop', sqlite: 'DELETE FROM a' }
  expect(() => migrateFile(scratch.path, [tables, drop])).toThrow('it breaks a foreign key')
  const rebuild = {
    id: 2,
    name: 'rebuild',
    sqlite:
      'CREATE TABLE c (id INTEGER PRIMARY KEY); INSERT INTO c SELECT id FROM a; DROP TABLE a; ALTER TABLE c RENAME TO a',
  }
  migrateFile(scratch.path, [tables, rebuild])
  expect(query(file, 'SELECT * FROM a')).toEqual([{ id: 1 }])
})

test('a database newer than the program is refused by name of both versions, and not touched', async () => {
  using scratch = scratchDirectory()
  await (await openScratchStore(scratch.path))[Symbol.asyncDispose]()
  const file = join(scratch.path, 'helix.db')
  query(file, "INSERT INTO schema_migrations VALUES (99, 'from the future', 0) RETURNING id")
  const before = readFileSync(file)
  await expect(openScratchStore(scratch.path)).rejects.toThrow(
    `Cannot open ${file}: The database is at version 99, but this program supports only versions up to ${migrations.length}: run a newer version of Helix.`,
  )
  expect(readFileSync(file).equals(before)).toBe(true)
})
