import { errorText, type Log } from '../base/log.ts'
import type { Config } from '../config/settings.ts'
import type { Redis } from '../redis/redis.ts'
import { createRedisCache } from '../replay/redis-cache.ts'
import type { Store } from '../store/contract.ts'

type RedisCacheParts = { config: Pick<Config, 'cacheStore'>; redis: Redis | null; log: Log }

/** The same store with cached answers in Redis, if the settings say so. They are deleted there with their organisation too. */
export const withRedisCache = (store: Store, { config, redis, log }: RedisCacheParts): Store => {
  if (config.cacheStore !== 'redis' || redis === null) return store
  const { accounts, teams } = store
  const exists = async (organisationId: string): Promise<boolean> =>
    (await store.organisations.limits(organisationId)) !== null
  const { removeDeleted, ...cache } = createRedisCache({ redis, exists })
  const removing = async <Result>(work: Promise<Result>): Promise<Result> => {
    const result = await work
    // What stays while Redis is away is removed with what has expired, and nobody can ask for it.
    await removeDeleted().catch((error: unknown) => log.warn('answer_cache_failed', { cause: errorText(error) }))
    return result
  }
  return {
    ...store,
    cache: {
      ...cache,
      async removeExpired(now) {
        await removeDeleted()
        // The database may still have answers from before.
        return (await cache.removeExpired(now)) + (await store.cache.removeExpired(now))
      },
    },
    accounts: { ...accounts, remove: (...args) => removing(accounts.remove(...args)) },
    teams: { ...teams, remove: (...args) => removing(teams.remove(...args)) },
  }
}
