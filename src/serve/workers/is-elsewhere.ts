import type { Elsewhere } from '../../api/generation/accept/accept-request.ts'
import { type CachePolicy, isCaching, isToBeCached, readCacheWish } from '../../api/generation/cache/cache-policy.ts'
import type { Config } from '../../config/settings.ts'
import type { WorkerModels } from './worker-models.ts'

/**
 * Which requests a worker passes on to its authority after it has read them: for other models than its own, and those
 * whose answers may be in the cache, which has one owner.
 */
export const createIsElsewhere = (
  { cacheModels, cacheKeys }: Pick<Config, 'cacheModels' | 'cacheKeys'>,
  isOwn: WorkerModels['isOwn'],
): Elsewhere['isElsewhere'] => {
  const policy: CachePolicy = { models: cacheModels, keys: cacheKeys }
  const caches = isCaching(policy)
  return (pool, { temperature = null }, { caller, headers }) => {
    if (pool === null || !isOwn(pool)) return true
    return caches && isToBeCached(policy, { model: pool.model.id, temperature }, caller, readCacheWish(headers))
  }
}
