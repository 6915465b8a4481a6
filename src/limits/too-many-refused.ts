import { ApiError } from '../base/api-error.ts'
import type { Config } from '../config/settings.ts'
import type { LimitScope } from '../store/ledger-contract.ts'
import { goDuration } from './go-duration.ts'
import { type LimitedEntity, type Moment, nameOfEntity } from './limited-entity.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { windowFallsTo, windowTotal } from './sliding-window.ts'

export type RefusedSettings = Pick<Config, 'refusedRequestsPerMinute' | 'organisationRefusedRequestsPerMinute'>

/**
 * The error for a request whose key or organisation had too many requests refused in the last 60 seconds; null otherwise.
 * These refusals do not count themselves, so a client that keeps sending is admitted again after the stated wait.
 */
export const tooManyRefused = (
  entities: readonly LimitedEntity[],
  at: Moment,
  settings: RefusedSettings,
): ApiError | null => {
  let worst: { entity: LimitedEntity; limit: number; waitMs: number } | null = null
  for (const entity of entities) {
    const limit = maxRefusedRequests(entity.scope, settings)
    const { refused } = entity.counters
    if (limit === 0 || windowTotal(refused, at.nowMs) < limit) continue
    const waitMs = windowFallsTo(refused, at.nowMs, limit - 1) - at.nowMs
    if (worst === null || waitMs > worst.waitMs) worst = { entity, limit, waitMs }
  }
  if (worst === null) return null
  const { entity, limit, waitMs } = worst
  return ApiError.of(
    'too_many_refused',
    { whose: nameOfEntity(entity), limit, wait: goDuration(waitMs) },
    {
      headers: rateLimitHeaders(entities, at),
      retryAfterMs: Math.ceil(waitMs),
      limit: {
        name: 'refused_requests_per_minute',
        scope: entity.scope,
        limit,
        used: limit,
        requested: 1,
        resetsAt: at.now + Math.ceil(waitMs),
      },
    },
  )
}

/** Reading an ordinary request takes a fraction of this. */
const cpuMsPerCount = 2

/** How many refusals a refused request counts as: one for every 2 ms of CPU time that it took. */
export const refusedCount = (cpuMs: number): number => Math.max(1, Math.ceil(cpuMs / cpuMsPerCount))

/** 0: no limit. */
export const maxRefusedRequests = (scope: LimitScope, settings: RefusedSettings): number => {
  if (scope === 'key') return settings.refusedRequestsPerMinute
  return scope === 'organisation' ? settings.organisationRefusedRequestsPerMinute : 0
}
