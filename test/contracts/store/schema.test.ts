import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, test } from 'vitest'
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

const postgresColumns = async (url: string): Promise<string[]> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const sql = `SELECT table_name || '.' || column_name AS place, data_type AS type,
        CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS required
      FROM information_schema.columns WHERE table_schema = 'public'`
    return describeColumns((await client.query<Record<string, unknown>>(sql)).rows, onlyInPostgres)
  } finally {
    await client.end()
  }
}

test.skipIf(postgres === null)('PostgreSQL has the tables and columns of SQLite', async () => {
  if (postgres === null) return
  await using database = await createScratchDatabase(postgres.url, postgres.template)
  expect(await postgresColumns(database.url)).toEqual(sqliteColumns())
})
