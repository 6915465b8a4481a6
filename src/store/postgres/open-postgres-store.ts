/**
 * The store on PostgreSQL 14 or newer: the same operations as the embedded store, on a pool of connections. It keeps what
 * `contract.ts` promises. One server uses a database alone, or several share it as nodes with leases.
 */
import { Client } from 'pg'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Store } from '../contract.ts'
import { failureReason } from '../failure-reason.ts'
import type { PostgresMigration } from '../migrations/migration.ts'
import { refuseMoved } from '../move/refuse-moved.ts'
import { createRecords } from '../records/records.ts'
import { type OnStoreCall, timedCalls } from '../records/timed-calls.ts'
import { StoreFailure } from '../store-failure.ts'
import { checkServer } from './check-server.ts'
import { connectionOptions, databaseName, type PostgresOptions } from './connection-options.ts'
import { migrate } from './migrate.ts'
import { readMoveMark } from './move-mark.ts'
import { type NodeLock, openNodeLock } from './node-lock.ts'
import { type OwnNode, singleNodeId } from './own-node.ts'
import { defaultStatementTimeoutMs, PostgresCalls } from './postgres-calls.ts'
import { createPostgresClaims } from './postgres-claims.ts'
import { createNodeRecords } from './postgres-nodes.ts'
import { beginning, createPostgresOperations, nodeBeginning, timeReading, verification } from './postgres-operations.ts'
import { createSecretRecords } from './postgres-secret.ts'
import { createStatementNames, isDirectConnection, type StatementNames } from './statement-names.ts'

type OpenOptions = PostgresOptions & {
  clock: Clock
  /** Others may use the database at the same time. The server must then register as a node before it reserves. */
  isShared?: boolean
  onCall?: OnStoreCall | undefined
  /** Those of this version unless a test adds one. */
  migrations?: readonly PostgresMigration[]
}

export const openPostgresStore = async (options: OpenOptions): Promise<Store> => {
  const database = databaseName(options.url)
  try {
    const { isShared = false } = options
    const lock = await openNodeLock(connectionOptions(options.url), { database, isShared })
    try {
      const names = await prepareDatabase(options)
      return await openRecords(options, lock, names)
    } catch (error) {
      await lock.close()
      throw error
    }
  } catch (error) {
    if (error instanceof StoreFailure) throw error
    throw new StoreFailure(`Cannot open ${database}: ${failureReason(error)}`, { cause: error })
  }
}

const openRecords = async (options: OpenOptions, lock: NodeLock, names: StatementNames): Promise<Store> => {
  const { clock, isShared = false, statementTimeoutMs = defaultStatementTimeoutMs } = options
  const own: OwnNode = { id: isShared ? '' : singleNodeId, isLeased: isShared }
  const calls = new PostgresCalls(options, createPostgresOperations(own), names)
  try {
    await calls.run('beginLedger', beginning)
    if (!isShared) await calls.run('beginNode', nodeBeginning, own.id)
    await calls.call('ensureFirstOrganisation', { id: newId('org'), name: 'Default', createdAt: clock.now() })
  } catch (error) {
    await calls.close()
    throw error
  }
  return {
    ...createRecords(timedCalls(calls, clock, options.onCall), () => calls.run('verifyUsage', verification)),
    nodes: isShared ? createNodeRecords(calls, own, statementTimeoutMs) : null,
    claims: isShared ? createPostgresClaims(calls, own) : null,
    secret: createSecretRecords(calls),
    failed: lock.lost,
    ping: () => calls.call('recordWriteCheck', clock.now()),
    time: () => calls.run('read the time', timeReading),
    backUp: () => Promise.reject(new StoreFailure(`Helix does not back up PostgreSQL: use pg_dump.`)),
    async close() {
      await calls.close()
      await lock.close()
    },
  }
}

const prepareDatabase = async (options: OpenOptions): Promise<StatementNames> => {
  const client = new Client(connectionOptions(options.url))
  client.on('error', () => {})
  await client.connect()
  try {
    await checkServer(client)
    await migrate(client, options.clock.now(), options.migrations)
    refuseMoved(await readMoveMark(client))
    return createStatementNames(await isDirectConnection(client))
  } finally {
    await client.end()
  }
}
