import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import type { MoveEvent } from '../../src/store/move/move-event.ts'
import { moveStore } from '../../src/store/move/move-store.ts'
import { openPostgresSource } from '../../src/store/move/open-postgres-source.ts'
import { openPostgresTarget } from '../../src/store/move/open-postgres-target.ts'
import { openSqliteSource } from '../../src/store/move/open-sqlite-source.ts'
import { openSqliteTarget } from '../../src/store/move/open-sqlite-target.ts'
import { createScratchDatabase } from '../harness/postgres/scratch-database.ts'
import { startedPostgres } from '../harness/postgres/started-postgres.ts'
import { readTables } from './read-tables.ts'

const clock = systemClock
const quiet = { onLost: () => {}, onReplaced: () => {} }

type Moving = {
  /** A batch of rows was read from the source. */
  onRead?: (table: string, rows: number) => void
  signal?: AbortSignal
  onEvent?: (event: MoveEvent) => void
  onReplaced?: () => void
  onLost?: (reason: string) => void
}

export const toPostgres = async (dataDir: string, url: string, options: Moving = {}) => {
  const { signal = new AbortController().signal, onEvent = () => {}, onRead = () => {} } = options
  const source = openSqliteSource({ dataDir, timeZone: 'UTC', clock })
  const { scan } = source.tables
  source.tables.scan = async function* (table, range) {
    for await (const batch of scan(table, range)) {
      onRead(table.name, batch.length)
      yield batch
    }
  }
  try {
    const openTarget = (store: string) => openPostgresTarget({ url, clock, ...quiet, ...options, signal }, store)
    return await moveStore({ source, openTarget, clock, onEvent, signal })
  } finally {
    await source.close()
  }
}

export const toSqlite = async (url: string, path: string, dataDir: string) => {
  const { signal } = new AbortController()
  const source = openPostgresSource({ url, dataDir, clock, ...quiet, signal })
  try {
    const openTarget = (store: string, sourceBytes: number) =>
      openSqliteTarget({ path, dataDir, clock, sourceBytes }, store)
    return await moveStore({ source, openTarget, clock, onEvent: () => {}, signal })
  } finally {
    await source.close()
  }
}

const postgres = await startedPostgres()

/** An empty database of this test's own. */
export const emptyDatabase = async () => {
  if (postgres === null) throw new Error('skipped without PostgreSQL')
  return createScratchDatabase(postgres.url, 'template0')
}

/** Everything in the database, as SQLite would have it. */
export const readPostgres = async (url: string, scratch: string): Promise<Record<string, unknown[]>> => {
  const path = join(scratch, 'read')
  await toSqlite(url, path, scratch)
  return readTables(path)
}
