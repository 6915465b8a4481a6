import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { migrations } from '../../src/store/migrations/migrations.ts'
import type { MoveEvent } from '../../src/store/move/move-event.ts'
import { reopenSqlite } from '../../src/store/move/open-sqlite-source.ts'
import { columnTypes } from '../../src/store/postgres/column-types.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { reservationOf } from '../harness/ledger-records.ts'
import { execSql } from '../harness/postgres/scratch-database.ts'
import { startedPostgres } from '../harness/postgres/started-postgres.ts'
import { openScratchStore, scratchDirectory } from '../harness/scratch-store.ts'
import { fillStore } from './full-store.ts'
import { emptyDatabase, readPostgres, toPostgres, toSqlite } from './moves.ts'
import { readTables } from './read-tables.ts'

const postgres = await startedPostgres()

const clock = systemClock

test.skipIf(postgres === null)('a store goes to PostgreSQL and back, and is the same in every row', async () => {
  using scratch = scratchDirectory()
  const [dataDir, back] = [join(scratch.path, 'data'), join(scratch.path, 'back')]
  await using database = await emptyDatabase()
  await fillStore(dataDir)
  writeFileSync(join(dataDir, 'secrets.key'), 'the key', { mode: 0o600 })
  const filled = readTables(dataDir)
  // All tables that there were when this was written: what a migration adds is copied in the same way.
  expect(Object.values(filled).filter((rows) => rows.length > 0).length).toBeGreaterThanOrEqual(36)

  let replaced = 0
  const there = await toPostgres(dataDir, database.url, { onReplaced: () => (replaced += 1) })
  expect(there.rows).toBeGreaterThan(3_600)
  expect(replaced).toBe(3)
  const settled = readTables(dataDir)
  const here = await toSqlite(database.url, back, dataDir)
  expect(here).toEqual(there)
  expect(readdirSync(back).sort()).toEqual(['helix.db', 'helix.lock', 'secrets.key'])
  expect(readFileSync(join(back, 'secrets.key'), 'utf8')).toBe('the key')
  expect(readTables(back)).toEqual(settled)

  await using store = await openScratchStore(back)
  expect(await store.ledger.recover(9_000, 20261116)).toBe(0)
  const { id } = await store.organisations.first()
  await store.ledger.reserve([reservationOf(id, { requestId: 'req_new' })])
  expect(await store.ledger.recover(9_000, 20261116)).toBe(1)
  expect(await store.usage.verify()).toMatchObject({ checkedRequests: 1_203, differences: [] })
})

const openDatabase = async (url: string) => {
  const store = await openPostgresStore({ url, clock, poolSize: 2 })
  return { ...store, [Symbol.asyncDispose]: () => store.close() }
}

test.skipIf(postgres === null)(
  'PostgreSQL goes on where SQLite ended: numbers, the live log, open requests',
  async () => {
    using scratch = scratchDirectory()
    await using database = await emptyDatabase()
    await fillStore(scratch.path)
    const before = await openScratchStore(scratch.path)
    const { id } = await before.organisations.first()
    const mark = await before.requestLog.mark(id)
    expect(mark).toEqual({ newest: 1_206, refused: 9, open: [1_205, 1_206] })
    await before[Symbol.asyncDispose]()
    await toPostgres(scratch.path, database.url)

    await using store = await openDatabase(database.url)
    // Settled at their last checkpoints, as by the next start.
    expect(await store.ledger.find('req_1206')).toMatchObject({
      settlement: { completionTokens: 9, outcome: 'server_died' },
    })
    expect(await store.ledger.recover(9_000, 20261116)).toBe(0)
    await store.ledger.reserve([reservationOf(id, { requestId: 'req_new', keyId: 'key_new' })])
    const news = await store.requestLog.news(id, mark, 10)
    expect(news.rows.map(({ requestId }) => requestId)).toEqual(['req_1205', 'req_1206', 'req_new'])
    expect(news.mark).toEqual({ newest: 1_207, refused: 9, open: [1_207] })
    expect(
      (await store.ledger.list({ organisationId: id, before: null, limit: 2 })).map((row) => row.requestId),
    ).toEqual(['req_new', 'req_1206'])
    await execSql(
      database.url,
      `INSERT INTO stored_completions (id, organisation_id, created_at, model, metadata, completion,
    messages) VALUES ('cmp_next', '${id}', 1, '', '', '', '')`,
    )
    expect((await rowsOf(database.url, "SELECT sequence FROM stored_completions WHERE id = 'cmp_next'"))[0]).toEqual({
      sequence: 5,
    })
    await expect(execSql(database.url, 'UPDATE ledger_settlements SET cost = 0')).rejects.toThrow('append-only')
    await expect(execSql(database.url, "DELETE FROM organisations WHERE id <> 'org_two'")).rejects.toThrow(
      'foreign key',
    )
  },
)

const rowsOf = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url, types: columnTypes })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test.skipIf(postgres === null)('what is written, changed and deleted while the store is copied is moved', async () => {
  using scratch = scratchDirectory()
  const dataDir = join(scratch.path, 'data')
  await using database = await emptyDatabase()
  await fillStore(dataDir)
  const store = await openScratchStore(dataDir)
  const { id } = await store.organisations.first()
  const events: string[] = []
  const change = (sql: string): void => {
    using db = new DatabaseSync(join(dataDir, 'helix.db'), { timeout: 5_000 })
    db.exec(`PRAGMA foreign_keys = ON; ${sql}`)
  }
  let requests = 0
  const moved = await toPostgres(dataDir, database.url, {
    onEvent(event) {
      if (event.type !== 'progress') events.push(event.type)
      else if (!events.includes('waiting')) {
        requests += 1
        void store.ledger.reserve([reservationOf(id, { requestId: `live_${requests}` })])
      }
      if (event.type === 'waiting') {
        change("UPDATE api_keys SET name = 'renamed' WHERE id = 'key_7'; DELETE FROM api_keys WHERE rowid % 10 = 0")
        // Unique values that change places, and one that a later row has given up.
        change(
          "UPDATE accounts SET email_key = 'x' WHERE id = 'acc_a'; UPDATE accounts SET email_key = 'acc_a' WHERE id = 'acc_b'; UPDATE accounts SET email_key = 'acc_b' WHERE id = 'acc_a'",
        )
        change('DELETE FROM stored_responses WHERE sequence = 1; DELETE FROM ledger_reservations WHERE sequence < 100')
        void store[Symbol.asyncDispose]()
      }
    },
  })
  expect(events).toEqual(['copying', 'copied', 'copied', 'waiting', 'switching', 'copied'])
  const stored = readTables(dataDir)
  expect(stored.ledger_reservations).toHaveLength(1_202 - 95 + requests)
  expect(moved.rows).toBe(Object.values(stored).flat().length - (stored.sqlite_sequence?.length ?? 0))
  expect(await readPostgres(database.url, scratch.path)).toEqual(stored)
})

test.skipIf(postgres === null)(
  'an interrupted copy can be continued, and is not used before it is complete',
  async () => {
    using scratch = scratchDirectory()
    const dataDir = join(scratch.path, 'data')
    await using database = await emptyDatabase()
    await fillStore(dataDir)
    for (const table of ['api_keys', 'ledger_settlements', 'stored_completions']) {
      const stop = new AbortController()
      const onEvent = (event: MoveEvent): void => {
        if (event.type === 'progress' && event.table === table) stop.abort()
      }
      await expect(toPostgres(dataDir, database.url, { onEvent, signal: stop.signal })).rejects.toThrow('abort')
      await expect(openDatabase(database.url)).rejects.toThrow(/is not complete: run the same 'helix migrate-store'/)
      await (await openScratchStore(dataDir))[Symbol.asyncDispose]()
    }
    await toPostgres(dataDir, database.url)
    const stored = readTables(dataDir)
    await expect(openScratchStore(dataDir)).rejects.toThrow(/its data was moved to .* on \d{4}-\d\d-\d\d: use it there/)
    await expect(toPostgres(dataDir, database.url)).rejects.toThrow('is not empty')
    await reopenSqlite(dataDir, clock)
    await (await openScratchStore(dataDir))[Symbol.asyncDispose]()
    expect(await readPostgres(database.url, scratch.path)).toEqual(stored)
    await expect(openDatabase(database.url)).rejects.toThrow(`its data was moved to ${join(scratch.path, 'read')}`)
  },
)

test.skipIf(postgres === null)('a copy goes on after the connection was lost', async () => {
  using scratch = scratchDirectory()
  const dataDir = join(scratch.path, 'data')
  await using database = await emptyDatabase()
  await fillStore(dataDir)
  const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`
  let cuts: Promise<void> | null = null
  const lost: string[] = []
  const onEvent = (event: MoveEvent): void => {
    if (event.type === 'progress' && event.table === 'api_keys') cuts ??= execSql(database.url, cut)
  }
  await toPostgres(dataDir, database.url, { onEvent, onLost: (reason) => lost.push(reason) })
  await cuts
  expect(lost.length).toBeGreaterThan(0)
  expect(await readPostgres(database.url, scratch.path)).toEqual(readTables(dataDir))
})

test.skipIf(postgres === null)('the oldest store and an empty one can be moved', async () => {
  for (const version of [1, 8, 999]) {
    using scratch = scratchDirectory()
    await using database = await emptyDatabase()
    const backupDirectory = join(scratch.path, 'backups')
    using db = new DatabaseSync(join(scratch.path, 'helix.db'))
    migrate(db, { migrations: migrations.filter(({ id }) => id <= version), backupDirectory, now: 0 })
    if (version === 1) db.exec("INSERT INTO organisations VALUES ('org_old', '老', 5)")
    db.close()
    await toPostgres(scratch.path, database.url)
    await using store = await openDatabase(database.url)
    if (version === 1) expect(await store.organisations.first()).toMatchObject({ id: 'org_old', name: '老' })
    expect(await store.usage.verify()).toEqual({ checkedRequests: 0, fromDay: null, differences: [] })
  }
})

test.skipIf(postgres === null)('a database with other contents is refused', async () => {
  using scratch = scratchDirectory()
  using other = scratchDirectory()
  await using database = await emptyDatabase()
  for (const { path } of [scratch, other]) await (await openScratchStore(path))[Symbol.asyncDispose]()
  await execSql(database.url, 'CREATE TABLE customers (id INTEGER)')
  await expect(toPostgres(scratch.path, database.url)).rejects.toThrow('it contains the table customers.')
  await execSql(database.url, 'DROP TABLE customers')
  const stop = AbortSignal.abort()
  await expect(toPostgres(other.path, database.url, { signal: stop })).rejects.toThrow('abort')
  await expect(toPostgres(scratch.path, database.url)).rejects.toThrow('it contains a copy of another store')
  await toPostgres(other.path, database.url)
  await expect(toPostgres(scratch.path, database.url)).rejects.toThrow('it contains the data of a Helix server')
  writeFileSync(join(other.path, 'ledger-spool.jsonl'), '{}\n')
  await expect(toSqlite(database.url, join(scratch.path, 'new'), other.path)).rejects.toThrow('not in PostgreSQL yet')
  mkdirSync(join(scratch.path, 'full'))
  writeFileSync(join(scratch.path, 'full', 'notes.txt'), '')
  await expect(toSqlite(database.url, join(scratch.path, 'full'), scratch.path)).rejects.toThrow('contains notes.txt')
})
