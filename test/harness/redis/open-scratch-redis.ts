import { systemClock } from '../../../src/base/clock.ts'
import { openRedis } from '../../../src/redis/open-redis.ts'
import type { Redis } from '../../../src/redis/redis.ts'
import { createLogCatcher } from '../log-catcher.ts'
import { newRedisPrefix } from './started-redis.ts'

export type ScratchRedis = AsyncDisposable & { redis: Redis; log: ReturnType<typeof createLogCatcher> }

type Options = { prefix?: string; timeoutMs?: number }

/** A connection of one test; with the same prefix, several see the same keys. On busy machines an answer takes seconds. */
export const openScratchRedis = async (url: string, options: Options = {}): Promise<ScratchRedis> => {
  const { prefix = newRedisPrefix(), timeoutMs = 30_000 } = options
  const log = createLogCatcher({ clock: systemClock, format: 'json' })
  const redis = await openRedis({ addresses: url.split(','), timeoutMs, prefix, clock: systemClock, log: log.log })
  return { redis, log, [Symbol.asyncDispose]: () => redis.close() }
}
