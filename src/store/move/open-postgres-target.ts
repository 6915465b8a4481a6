import type { ClientBase } from 'pg'
import type { Clock } from '../../base/clock.ts'
import { failureReason } from '../failure-reason.ts'
import { type Row, text } from '../operations/row.ts'
import { checkServer } from '../postgres/check-server.ts'
import { connectionOptions } from '../postgres/connection-options.ts'
import { migrate } from '../postgres/migrate.ts'
import { readMoveMark } from '../postgres/move-mark.ts'
import { type NodeLock, openNodeLock } from '../postgres/node-lock.ts'
import { StoreFailure } from '../store-failure.ts'
import { createPostgresSession, type PostgresSession } from './postgres-session.ts'
import { hasTable } from './postgres-tables.ts'
import { postgresTarget } from './postgres-target.ts'
import type { TargetTables } from './store-tables.ts'

type TargetOptions = {
  url: string
  clock: Clock
  onLost(reason: string): void
  /** A text was stored with another character in the place of NUL. */
  onReplaced(): void
  signal: AbortSignal
}

/** An empty PostgreSQL database, or one that was being filled from the same store. No other process may use it. */
export const openPostgresTarget = async (options: TargetOptions, store: string): Promise<TargetTables> => {
  const { url, clock, onLost, onReplaced, signal } = options
  const session = createPostgresSession({ url, onLost, signal })
  let lock: NodeLock | null = null
  const close = async (): Promise<void> => {
    await session.close()
    await lock?.close()
  }
  try {
    await session.run((client) => requireEmpty(client, session, store))
    lock = await openNodeLock(connectionOptions(url), { database: session.place, isShared: false })
    await session.run((client) => migrate(client, clock.now()))
    return { ...(await postgresTarget(session, onReplaced)), close }
  } catch (error) {
    await close()
    throw error
  }
}

const requireEmpty = async (client: ClientBase, { place }: PostgresSession, store: string): Promise<void> => {
  await checkServer(client).catch((error: unknown) => {
    throw new StoreFailure(`Cannot use ${place}: ${failureReason(error)}`, { cause: error })
  })
  const mark = await readMoveMark(client)
  if (mark?.state === 'incoming' && mark.store === store) return
  const contains = mark === null ? await describeContent(client) : `a copy of another store, from ${mark.place}`
  if (contains !== null)
    throw new StoreFailure(`The database ${place} is not empty: it contains ${contains}. Specify an empty database.`)
}

/** Null if the database is empty, or has only our tables without any organisation, which every store in use has. */
const describeContent = async (client: ClientBase): Promise<string | null> => {
  if (await hasTable(client, 'schema_migrations')) {
    if (!(await hasTable(client, 'organisations'))) return null
    const { rows } = await client.query<Row>('SELECT id FROM organisations LIMIT 1')
    return rows.length === 0 ? null : 'the data of a Helix server'
  }
  const { rows } = await client.query<Row>(
    "SELECT relname::text AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v', 'p') LIMIT 1",
  )
  return rows[0] === undefined ? null : `the table ${text(rows[0], 'name')}`
}
