import { inject } from 'vitest'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { leaseTimes } from '../../src/nodes/open-node-lease.ts'
import { endsWithFile } from './ends-with-file.ts'
import { createScratchDatabase, execSql } from './postgres/scratch-database.ts'
import { startedPostgres } from './postgres/started-postgres.ts'
import { newRedisPrefix, startedRedis } from './redis/started-redis.ts'
import type { HelixOptions } from './start-helix.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where servers of this project of `vitest.config.ts` keep their data, unless a test says otherwise. */
    databases: 'embedded' | 'networked'
  }
}

type ProjectDatabases = Pick<HelixOptions, 'leaseTimes'> & { config: Partial<Config> }

/** A node whose clock is advanced by hours would take itself for one that was paused, and Redis for one that does not answer. */
const endlessMs = 2_000_000_000

/** By data directory: a server that starts again in one finds its data. */
const networked = new Map<string, Promise<ProjectDatabases>>()

/** What the server in this directory is started with: nothing more, or a PostgreSQL database and a Redis of its own. */
export const projectDatabases = async (dataDir: string, clock: Clock): Promise<ProjectDatabases> => {
  if (!isNetworked()) return { config: {} }
  const databases = networked.get(dataDir) ?? createDatabases()
  networked.set(dataDir, databases)
  const { config } = await databases
  if (clock === systemClock || config.redis === undefined) return { config }
  return {
    config: { ...config, redisTimeoutMs: endlessMs },
    leaseTimes: { ...leaseTimes, leaseMs: endlessMs },
  }
}

/** Benchmarks, which have no project, are embedded. For tests that advance the clock by hours: a database answers in real time, and would seem to be away for hours. */
export const isNetworked = (): boolean => process.env.VITEST !== undefined && inject('databases') === 'networked'

/** Whether the databases of the project can be had. If not, its tests are skipped, and what they share is embedded. */
export const hasProjectDatabases = async (): Promise<boolean> =>
  !isNetworked() || ((await startedPostgres()) !== null && (await startedRedis()) !== null)

const createDatabases = async (): Promise<ProjectDatabases> => {
  const postgres = await startedPostgres()
  const redis = await startedRedis()
  if (postgres === null || redis === null) return { config: {} }
  const database = await createScratchDatabase(postgres.url, postgres.template)
  endsWithFile(() => database[Symbol.asyncDispose]())
  // The server that created the template.
  await execSql(database.url, 'DELETE FROM ledger_nodes')
  const shared = { store: database.url, storePoolSize: 4, redis: redis.url, redisPrefix: newRedisPrefix() }
  // A slow machine answers late, and a test must not take that for a fault.
  return { config: { ...shared, redisTimeoutMs: 30_000 } }
}
