import { ApiError } from '../../base/api-error.ts'
import { isPeriod } from '../../config/limit-kinds.ts'
import type { LimitedEntity } from '../limited-entity.ts'
import type { SetLimit } from '../set-limits.ts'

const retryAfterMs = 1_000

/** Redis is away, and without it the request cannot be admitted. */
export const limitsUnavailable = (): ApiError => ApiError.of('limits_unavailable', {}, { retryAfterMs })

/**
 * The share of the limits that one of this many nodes may use while Redis is away. Throws if the caller has a budget,
 * whose share cannot be known, or a limit that cannot be divided.
 */
export const shareLimits = (
  entities: readonly LimitedEntity[],
  nodes: number,
  without: 'share' | 'closed',
): LimitedEntity[] => {
  const isRefused = ({ window }: SetLimit): boolean => isPeriod(window) || without === 'closed'
  if (entities.some(({ limits }) => limits.some(isRefused))) throw limitsUnavailable()
  return entities.map((entity) => ({
    ...entity,
    limits: entity.limits.map((limit) => shareLimit(limit, Math.max(1, nodes))),
  }))
}

const shareLimit = (limit: SetLimit, nodes: number): SetLimit => {
  const max = Math.floor(limit.max / nodes)
  if (max === 0) throw limitsUnavailable()
  return { ...limit, max }
}
