import { monthOf } from '../../base/calendar.ts'
import type { LimitedEntity, Moment } from '../limited-entity.ts'
import { type PeriodSums, sumOf } from '../period-sums.ts'
import { windowTotal } from '../sliding-window.ts'
import { type RefusedSettings, refusedLimitOf } from '../too-many-refused.ts'

type Others = {
  nodes: number
  /** How many requests of an entity have passed a precheck at this node alone, and are not admitted yet. */
  waiting(id: string): number
  settings: RefusedSettings
}

/** At most this part of a budget may be used. */
const budgetPart = 0.95

/**
 * Whether a request is so far from all limits, by the counters as last seen, that its precheck need not ask Redis: at most half
 * of each limit of requests is used and at most 95% of each budget, and even if all nodes let as many requests pass, these are
 * at most another quarter. Its admission always asks.
 */
export const clearlyFits = (entities: readonly LimitedEntity[], at: Moment, others: Others): boolean =>
  entities.every((entity) => isFarFromLimits(entity, at, others))

const isFarFromLimits = (
  { scope, id, limits, counters }: LimitedEntity,
  { nowMs, day }: Moment,
  { nodes, waiting, settings }: Others,
): boolean => {
  const entering = counters.entering + 1
  const isFar = (limit: number | null, used: number): boolean =>
    limit === null || (2 * (used + entering) <= limit && 4 * nodes * (waiting(id) + 1) <= limit)
  const isLeft = (limit: number | null, sums: PeriodSums, period: number): boolean => {
    const settled = limit === null ? 0 : sumOf(sums, period)
    return limit === null || (settled !== null && settled <= budgetPart * limit)
  }
  const refused = refusedLimitOf(scope, settings)
  return (
    (refused === 0 || 2 * windowTotal(counters.refused, nowMs) < refused) &&
    isFar(limits.requestsPerMinute, windowTotal(counters.requests, nowMs)) &&
    isFar(limits.requestsInFlight, counters.running) &&
    isLeft(limits.tokensPerDay, counters.days, day) &&
    isLeft(limits.tokensPerMonth, counters.months, monthOf(day)) &&
    isLeft(limits.costPerDayMicros, counters.costDays, day) &&
    isLeft(limits.costPerMonthMicros, counters.costMonths, monthOf(day))
  )
}
