import type { CreateAttemptLimit } from '../accounts/attempts/attempt-limit.ts'
import { createLocalAttemptLimits } from '../accounts/attempts/local-attempt-limit.ts'
import { createRedisAttemptLimits } from '../accounts/attempts/redis-attempt-limit.ts'
import { createKnownBrowsers, type KnownBrowsers } from '../accounts/sign-in/known-browsers.ts'
import { createRedisKnownBrowsers } from '../accounts/sign-in/redis-known-browsers.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Redis } from '../redis/redis.ts'

type SignInLimits = { createLimit: CreateAttemptLimit; knownBrowsers: KnownBrowsers }

/** What slows down guessing: for this server, or for all nodes together. */
export const openSignInLimits = (redis: Redis | null, clock: Clock, log: Log): SignInLimits => {
  const createLocal = createLocalAttemptLimits(clock)
  const local = createKnownBrowsers()
  if (redis === null) return { createLimit: createLocal, knownBrowsers: local }
  return {
    createLimit: createRedisAttemptLimits({ redis, createLocal, log }),
    knownBrowsers: createRedisKnownBrowsers(redis, local),
  }
}
