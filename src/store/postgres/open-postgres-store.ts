/**
 * The store on PostgreSQL 14 or newer: the same operations as the embedded store, on a pool of connections. It keeps what
 * `contract.ts` promises. Until clusters are supported one server uses a database at a time.
 */
import { Client } from 'pg'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Store } from '../contract.ts'
import { recordsOf } from '../records/records.ts'
import { StoreFailure } from '../store-failure.ts'
import { checkServer } from './check-server.ts'
import { connectionOptions, databaseName, type PostgresOptions } from './connection-options.ts'
import { migrate } from './migrate.ts'
import { type NodeLock, openNodeLock } from './node-lock.ts'
import { PostgresCalls } from './postgres-calls.ts'
import { beginning, createPostgresOperations, verification } from './postgres-operations.ts'
import { reasonOf } from './reason-of.ts'

type OpenOptions = PostgresOptions & {
  clock: Clock
  /** Which of the servers that share the database this one is: it settles the requests that it left open. */
  node?: string
}

export const openPostgresStore = async (options: OpenOptions): Promise<Store> => {
  const database = databaseName(options.url)
  try {
    const lock = await openNodeLock(connectionOptions(options.url), database)
    try {
      await prepareDatabase(options)
      return await openRecords(options, lock)
    } catch (error) {
      await lock.close()
      throw error
    }
  } catch (error) {
    if (error instanceof StoreFailure) throw error
    throw new StoreFailure(`Cannot open ${database}: ${reasonOf(error)}`, { cause: error })
  }
}

const openRecords = async (options: OpenOptions, lock: NodeLock): Promise<Store> => {
  const { clock, node = 'main' } = options
  const calls = new PostgresCalls(options, createPostgresOperations(node))
  try {
    await calls.run('beginLedger', beginning, node)
    await calls.call('ensureFirstOrganisation', { id: newId('org'), name: 'Default', createdAt: clock.now() })
  } catch (error) {
    await calls.close()
    throw error
  }
  return {
    ...recordsOf(calls, () => calls.run('verifyUsage', verification)),
    failed: lock.lost,
    ping: () => calls.call('recordWriteCheck', clock.now()),
    backUp: () => Promise.reject(new StoreFailure(`Helix does not back up PostgreSQL: use pg_dump.`)),
    async close() {
      await calls.close()
      await lock.close()
    },
  }
}

const prepareDatabase = async (options: OpenOptions): Promise<void> => {
  const client = new Client(connectionOptions(options.url))
  client.on('error', () => {})
  await client.connect()
  try {
    await checkServer(client)
    await migrate(client, options.clock.now())
  } finally {
    await client.end()
  }
}
