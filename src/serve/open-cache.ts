import { type CachePolicy, isCaching } from '../api/generation/cache/cache-policy.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/settings.ts'
import type { Price } from '../prices/price.ts'
import { scalePrice } from '../prices/scale-price.ts'
import { openAnswerCache } from '../replay/answer-cache.ts'
import type { CacheRecords } from '../store/cache-contract.ts'
import type { Closers } from './closers.ts'

type CacheOptions = {
  config: Config
  clock: Clock
  log: Log
  records: CacheRecords
  findPrice(model: string): Price | null
  onLookup(result: 'hit' | 'miss'): void
  closers: Closers
}

/** The answers that are sent again to the same request; null if the settings name no models and keys. */
export const openCache = ({ config, clock, log, records, findPrice, onLookup, closers }: CacheOptions) => {
  const policy: CachePolicy = { models: config.cacheModels, keys: config.cacheKeys }
  if (!isCaching(policy)) return null
  const cache = openAnswerCache({
    records,
    retentionHours: () => config.cacheRetentionHours,
    limitBytes: config.cacheLimitBytes,
    answerLimitBytes: config.cacheAnswerLimitBytes,
    clock,
    log,
  })
  closers.add(() => cache.close())
  const findCachedPrice = (model: string): Price | null => {
    const price = findPrice(model)
    return price === null ? null : scalePrice(price, config.cachePricePercent)
  }
  return { cache, policy, findCachedPrice, onLookup }
}
