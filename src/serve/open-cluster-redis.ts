import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/settings.ts'
import type { Redis } from '../redis/redis.ts'
import type { Closers } from './closers.ts'

type ClusterRedisDependencies = {
  config: Pick<Config, 'redis' | 'redisPrefix' | 'redisTimeoutMs'>
  clock: Clock
  log: Log
  closers: Closers
}

/** The Redis that the nodes share; null for a single server. */
export const openClusterRedis = async (dependencies: ClusterRedisDependencies): Promise<Redis | null> => {
  const { config, clock, log, closers } = dependencies
  const { redis: addresses, redisPrefix: prefix, redisTimeoutMs: timeoutMs } = config
  if (addresses === null) return null
  // Loaded only where it is used.
  const { openRedis } = await import('../redis/open-redis.ts')
  const redis = await openRedis({ addresses: addresses.split(','), timeoutMs, prefix, clock, log })
  closers.add(() => redis.close())
  return redis
}
