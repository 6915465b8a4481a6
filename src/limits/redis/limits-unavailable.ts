import { ApiError } from '../../base/api-error.ts'
import type { Limits } from '../../store/ledger-contract.ts'
import type { LimitedEntity } from '../limited-entity.ts'

const retryAfterMs = 1_000

/** Redis is away, and without it the request cannot be admitted. */
export const limitsUnavailable = (): ApiError => ApiError.of('limits_unavailable', {}, { retryAfterMs })

/**
 * The share of the limits that one of so many nodes may use while Redis is away. Throws if the caller has a budget, of which
 * no share can be known, or a limit of which there is no share.
 */
export const sharesOf = (
  entities: readonly LimitedEntity[],
  nodes: number,
  without: 'share' | 'closed',
): LimitedEntity[] => {
  for (const { limits } of entities)
    if (hasBudget(limits) || (without === 'closed' && hasRate(limits))) throw limitsUnavailable()
  return entities.map((entity) => ({ ...entity, limits: shareOf(entity.limits, Math.max(1, nodes)) }))
}

const hasBudget = ({ tokensPerDay, tokensPerMonth, costPerDayMicros, costPerMonthMicros }: Limits): boolean =>
  [tokensPerDay, tokensPerMonth, costPerDayMicros, costPerMonthMicros].some((limit) => limit !== null)

const hasRate = ({ requestsPerMinute, tokensPerMinute, requestsInFlight }: Limits): boolean =>
  [requestsPerMinute, tokensPerMinute, requestsInFlight].some((limit) => limit !== null)

const shareOf = (limits: Limits, nodes: number): Limits => ({
  ...limits,
  requestsPerMinute: part(limits.requestsPerMinute, nodes),
  tokensPerMinute: part(limits.tokensPerMinute, nodes),
  requestsInFlight: part(limits.requestsInFlight, nodes),
})

const part = (limit: number | null, nodes: number): number | null => {
  if (limit === null) return null
  const share = Math.floor(limit / nodes)
  if (share === 0) throw limitsUnavailable()
  return share
}
