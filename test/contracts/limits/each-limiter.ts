import { afterEach, describe } from 'vitest'
import type { Config } from '../../../src/config/settings.ts'
import { createLimiter } from '../../../src/limits/create-limiter.ts'
import { openRedisLimiter, type RedisLimiter } from '../../../src/limits/redis/open-redis-limiter.ts'
import { createManualClock, type ManualClock } from '../../harness/manual-clock.ts'
import { openLimiter } from '../../harness/open-limiter.ts'
import { openScratchRedis } from '../../harness/redis/open-scratch-redis.ts'
import { type StartedRedis, startedRedis } from '../../harness/redis/started-redis.ts'

type Open = (settings?: Partial<Config>, clock?: ManualClock) => ReturnType<typeof openLimiter>
/** How often a property is tried: less often where each step is a round trip. */
type Part = (count: number) => number

const redis = await startedRedis()

/** What `src/limits/limiter-contract.ts` promises, said once and checked on every limiter. */
export const eachLimiter = (suite: (open: Open, part: Part) => void): void => {
  const inMemory = (): void => suite((settings, clock) => openLimiter(settings, clock, createLimiter), all)
  describe('in memory', inMemory)
  if (redis === null) describe.skip('Redis', inMemory)
  else describe('Redis', () => suite(openOn(redis), some))
}

const all: Part = (count) => count
const some: Part = (count) => Math.ceil(count / 5)

const openOn = ({ url }: StartedRedis): Open => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })
  return async (settings, clock = createManualClock()) => {
    const { redis, log, ...scratch } = await openScratchRedis(url)
    let limiter: RedisLimiter | null = null
    closers.push(
      () => limiter?.close(),
      () => scratch[Symbol.asyncDispose](),
    )
    return openLimiter(settings, clock, async (dependencies) => {
      await limiter?.close()
      const nodes = {
        list: async () => [{ id: 'main', isSilent: false }],
        ended: async () => [],
        openRequests: async () => [],
      }
      const node = { nodeId: () => 'main', nodes, timeSource: 'clock' } as const
      limiter = await openRedisLimiter({ ...dependencies, ...node, redis, log: log.log })
      return limiter
    })
  }
}
