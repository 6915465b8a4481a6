import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'

export type StartedRedis = {
  url: string
  /** To start another, which a test may stop. Null if the Redis of the run is one of HELIX_TEST_REDIS and no other is there. */
  program: string | null
}

/** The Redis of this run, which starts with the first call; null if there is none. */
export const startedRedis = async (): Promise<StartedRedis | null> => {
  const response = await fetch(inject('redisStarter'))
  if (!response.ok) throw new Error(await response.text())
  return asStarted(await response.json())
}

/** True because only the global set-up answers there. */
const asStarted = (answer: unknown): StartedRedis | null => answer as StartedRedis | null

/** For the keys of one test: all tests share one Redis. */
export const newRedisPrefix = (): string => `test-${randomBytes(6).toString('hex')}:`
