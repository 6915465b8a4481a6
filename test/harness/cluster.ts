import { onTestFinished } from 'vitest'
import type { Outcome } from '../../src/store/ledger-contract.ts'
import { openStoreReader, type StorePlace } from './open-store-reader.ts'
import { createScratchDatabase, execSql } from './postgres/scratch-database.ts'
import { startedPostgres } from './postgres/started-postgres.ts'
import { newRedisPrefix, startedRedis } from './redis/started-redis.ts'
import { type Helix, type HelixOptions, openHelix } from './start-helix.ts'

type ClusterOptions = HelixOptions & {
  nodes: number
  /** What differs between nodes, by number. */
  each?(node: number): HelixOptions
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

const postgres = await startedPostgres()
const redis = await startedRedis()

/** Whether this machine has what a cluster needs: `describe.skipIf(!hasCluster)`. */
export const hasCluster = postgres !== null && redis !== null

/** A slow machine answers late, and a test must not take that for a fault. */
const patient = { redisTimeoutMs: 30_000 }

/**
 * Real servers in this process, on one scratch database and one Redis prefix, with the same secret key and each with a data directory
 * of its own. They close with the test.
 */
export const startCluster = async ({ nodes: count, each, ...shared }: ClusterOptions) => {
  if (postgres === null || redis === null) throw new Error('there is no PostgreSQL or no Redis')
  const database = await createScratchDatabase(postgres.url, postgres.template)
  onTestFinished(() => database[Symbol.asyncDispose]())
  // The server that created the template.
  await execSql(database.url, 'DELETE FROM ledger_nodes')
  const redisPrefix = newRedisPrefix()
  const secretKey = Buffer.alloc(32, 1).toString('base64')
  /** Another node of this cluster. */
  const join = async (number: number, options: HelixOptions = {}) => {
    const own = { ...each?.(number), ...options }
    const node = await openHelix({
      ...{ ...shared, ...own },
      config: {
        ...{ store: database.url, storePoolSize: 4, redis: redis.url, secretKey, nodeName: `node-${number}` },
        ...{ ...patient, redisPrefix, ...shared.config, ...own.config },
      },
    })
    onTestFinished(node.close)
    return node
  }
  const nodes: Helix[] = []
  for (let number = 1; number <= count; number += 1) nodes.push(await join(number))
  /** The first is 1, as in its name. */
  const node = (number: number) => {
    const found = nodes[number - 1]
    if (found === undefined) throw new Error(`there is no node ${number}`)
    return found
  }
  const place = { dataDir: '', storeUrl: database.url }
  return {
    ...{ node, nodes, join, redisPrefix, secretKey, databaseUrl: database.url, redisUrl: redis.url },
    exec: (sql: string) => execSql(database.url, sql),
    /** How a request was settled; null while it is open. */
    outcome: (requestId: string) => findOutcome(place, requestId),
    /** As if a node had been silent for so much longer. */
    age: (name: string, byMs: number) =>
      execSql(database.url, `UPDATE nodes SET seen_at = seen_at - ${byMs} WHERE name = '${name}'`),
  }
}

const findOutcome = async (place: StorePlace, requestId: string): Promise<Outcome | null> => {
  await using store = openStoreReader(place)
  return (await store.ledger.find(requestId))?.settlement?.outcome ?? null
}
