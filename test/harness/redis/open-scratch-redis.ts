import { type Clock, systemClock } from '../../../src/base/clock.ts'
import { openRedis } from '../../../src/redis/open-redis.ts'
import type { Redis } from '../../../src/redis/redis.ts'
import { createLogCatcher } from '../log-catcher.ts'
import { newRedisPrefix } from './started-redis.ts'

export type ScratchRedis = AsyncDisposable & { redis: Redis; log: ReturnType<typeof createLogCatcher> }

type Options = {
  prefix?: string
  timeoutMs?: number
  /** For its time-outs and retries. */
  clock?: Clock
}

/** A connection of one test; with the same prefix, several see the same keys. On busy machines an answer takes seconds. */
export const openScratchRedis = async (url: string, options: Options = {}): Promise<ScratchRedis> => {
  const { prefix = newRedisPrefix(), timeoutMs = 30_000, clock = systemClock } = options
  const log = createLogCatcher({ clock: systemClock, format: 'json' })
  const redis = await openRedis({ addresses: url.split(','), timeoutMs, prefix, clock, log: log.log })
  return { redis, log, [Symbol.asyncDispose]: () => redis.close() }
}
