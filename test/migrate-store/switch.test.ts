import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock as clock } from '../../src/base/clock.ts'
import { appendOnlyTables } from '../../src/store/move/append-only.ts'
import type { MoveEvent } from '../../src/store/move/move-event.ts'
import { openSqliteTarget } from '../../src/store/move/open-sqlite-target.ts'
import { reservationOf } from '../harness/ledger-records.ts'
import { execSql } from '../harness/postgres/scratch-database.ts'
import { startedPostgres } from '../harness/postgres/started-postgres.ts'
import { openScratchStore, scratchDirectory } from '../harness/scratch-store.ts'
import { fillStore } from './full-store.ts'
import { emptyDatabase, readPostgres, toPostgres } from './moves.ts'
import { readTables } from './read-tables.ts'

const postgres = await startedPostgres()

test.skipIf(postgres === null)(
  'the switch reads only the requests that came after the copy, also after the command was interrupted',
  async () => {
    using scratch = scratchDirectory()
    const dataDir = join(scratch.path, 'data')
    await using database = await emptyDatabase()
    await fillStore(dataDir)
    const store = await openScratchStore(dataDir)
    const { id } = await store.organisations.first()
    const interrupt = new AbortController()
    const onEvent = (event: MoveEvent): void => {
      if (event.type === 'waiting') interrupt.abort()
    }
    await expect(toPostgres(dataDir, database.url, { onEvent, signal: interrupt.signal })).rejects.toThrow('abort')
    await store.ledger.reserve([1, 2, 3].map((count) => reservationOf(id, { requestId: `late_${count}` })))
    await store[Symbol.asyncDispose]()
    const read = new Map<string, number>()
    const onRead = (table: string, rows: number): void => void read.set(table, (read.get(table) ?? 0) + rows)
    await toPostgres(dataDir, database.url, { onRead })
    // Two requests were open from the beginning: they are settled with the three, and their range is compared again.
    expect(read.get('ledger_reservations')).toBe(3)
    expect(read.get('request_bodies')).toBeUndefined()
    expect(read.get('audit_events')).toBeUndefined()
    expect(read.get('api_keys')).toBe(1_200)
    expect(await readPostgres(database.url, scratch.path)).toEqual(readTables(dataDir))
  },
)

test('no statement changes a row of the tables that are compared once', () => {
  const names = Object.keys(appendOnlyTables).join('|')
  const changes = new RegExp(
    `(UPDATE|REPLACE INTO) (${names})\\b|INTO (${names})\\b((?!INSERT|RETURNING)[^\`])*DO UPDATE`,
  )
  const folder = join(import.meta.dirname, '../../src/store')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!test)\.ts$/.test(name))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((name) => changes.test(readFileSync(join(folder, name), 'utf8')))).toEqual([])
})

test.skipIf(postgres === null)(
  'a disk that is full ends the copy with what to do, and the copy goes on later',
  async () => {
    using scratch = scratchDirectory()
    const dataDir = join(scratch.path, 'data')
    await using database = await emptyDatabase()
    await fillStore(dataDir)
    const full = `CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER no_space BEFORE INSERT ON stored_completions FOR EACH STATEMENT EXECUTE FUNCTION no_space()`
    let filled: Promise<void> | null = null
    const onEvent = (event: MoveEvent): void => {
      if (event.type === 'progress' && event.table === 'accounts') filled ??= execSql(database.url, full)
    }
    await expect(toPostgres(dataDir, database.url, { onEvent })).rejects.toThrow(
      /^No space is left on the disk of .*run the same command again, which continues/,
    )
    await filled
    await (await openScratchStore(dataDir))[Symbol.asyncDispose]()
    await execSql(database.url, 'DROP FUNCTION no_space CASCADE')
    await toPostgres(dataDir, database.url)
    expect(await readPostgres(database.url, scratch.path)).toEqual(readTables(dataDir))
  },
)

test('a copy that the disk has no space for is not begun', async () => {
  using scratch = scratchDirectory()
  const options = {
    path: join(scratch.path, 'new'),
    dataDir: scratch.path,
    clock,
    sourceBytes: Number.MAX_SAFE_INTEGER,
  }
  await expect(openSqliteTarget(options, 'org_one')).rejects.toThrow(/needs about \d+\.\d GB in .*\d GB are free\.$/)
})
