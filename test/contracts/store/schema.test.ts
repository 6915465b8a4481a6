import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { documentPostgresSchema } from '../../../scripts/document-postgres-schema.ts'
import { documentSqliteSchema } from '../../../scripts/document-sqlite-schema.ts'
import { migrations } from '../../../src/store/migrations/migrations.ts'
import { migrate } from '../../../src/store/sqlite/migrate.ts'
import { createScratchDatabase } from '../../harness/postgres/scratch-database.ts'
import { startedPostgres } from '../../harness/postgres/started-postgres.ts'

const postgres = await startedPostgres()

/** What one has and the other does not need. */
const onlyInSqlite = ['ledger_settled']
const onlyInPostgres = [
  ...['ledger_epoch', 'ledger_nodes', 'node', 'rowid', 'transaction_id'],
  ...['nodes', 'task_leases', 'secret_fingerprint', 'replay_claims'],
]

const kinds: Record<string, string> = {
  ...{ INTEGER: 'number', TEXT: 'text', BLOB: 'bytes' },
  ...{ bigint: 'number', integer: 'number', smallint: 'number', text: 'text', bytea: 'bytes' },
}

/** `api_keys.name: text, required`, except of the tables and columns that are left out. */
const describeColumns = (rows: readonly Record<string, unknown>[], leftOut: readonly string[]): string[] =>
  rows
    .filter(({ place }) => !leftOut.some((name) => String(place).split('.').includes(name)))
    .map(({ place, type, required }) => `${place}: ${kinds[String(type)]}${required === 1 ? ', required' : ''}`)
    .sort()

const sqliteColumns = (): string[] => {
  using db = new DatabaseSync(':memory:')
  migrate(db, { migrations, backupDirectory: '/nowhere', now: 0 })
  const sql = `SELECT tables.name || '.' || columns.name AS place, columns.type, columns."notnull" AS required
    FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`
  return describeColumns(db.prepare(sql).all(), onlyInSqlite)
}

const postgresColumns = async (client: pg.ClientBase): Promise<string[]> => {
  const sql = `SELECT table_name || '.' || column_name AS place, data_type AS type,
      CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS required
    FROM information_schema.columns WHERE table_schema = 'public'`
  return describeColumns((await client.query<Record<string, unknown>>(sql)).rows, onlyInPostgres)
}

const readSchema = (name: string): string =>
  readFileSync(new URL(`../../../docs/schema/${name}`, import.meta.url), 'utf8')

test('docs/schema/sqlite.sql is the schema of SQLite (npm run schema writes it anew)', () => {
  expect(readSchema('sqlite.sql')).toBe(documentSqliteSchema())
})

describe.skipIf(postgres === null)('PostgreSQL', () => {
  const withClient = async (look: (client: pg.ClientBase) => Promise<void>): Promise<void> => {
    if (postgres === null) return
    await using database = await createScratchDatabase(postgres.url, postgres.template)
    const client = new pg.Client(database.url)
    await client.connect()
    try {
      await look(client)
    } finally {
      await client.end()
    }
  }

  test('has the tables and columns of SQLite', () =>
    withClient(async (client) => {
      expect(await postgresColumns(client)).toEqual(sqliteColumns())
    }))

  test('has the schema of docs/schema/postgres.sql (npm run schema writes it anew)', () =>
    withClient(async (client) => {
      expect(readSchema('postgres.sql')).toBe(await documentPostgresSchema(client))
    }))
})
