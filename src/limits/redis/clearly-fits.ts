import { monthOf } from '../../base/calendar.ts'
import type { Limits } from '../../store/ledger-contract.ts'
import type { LimitedEntity, Moment } from '../limited-entity.ts'
import { type PeriodSums, sumOf } from '../period-sums.ts'
import { windowTotal } from '../sliding-window.ts'
import { type RefusedSettings, refusedLimitOf } from '../too-many-refused.ts'
import type { UsageCounters } from '../usage-counters.ts'

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
  const refused = refusedLimitOf(scope, settings)
  return (
    (refused === 0 || 2 * nodes * windowTotal(counters.refused, nowMs) < refused) &&
    isFar(limits.requestsPerMinute, windowTotal(counters.requests, nowMs)) &&
    isFar(limits.requestsInFlight, counters.running) &&
    areBudgetsLeft(limits, counters, day, noneReserved)
  )
}

const noneReserved = { reserved: 0, reservedMicros: 0 }

/**
 * Whether what is reserved matters so little that an admission need not wait until Redis knows which requests have ended: at
 * most half of the tokens for a minute, and at most 95% of each budget together with what is used.
 */
export const isLittleReserved = (entities: readonly LimitedEntity[], day: number): boolean =>
  entities.every(
    ({ limits, counters }) =>
      (limits.tokensPerMinute === null || 2 * counters.reserved <= limits.tokensPerMinute) &&
      areBudgetsLeft(limits, counters, day, counters),
  )

const areBudgetsLeft = (
  limits: Limits,
  { days, months, costDays, costMonths }: UsageCounters,
  day: number,
  { reserved, reservedMicros }: Pick<UsageCounters, 'reserved' | 'reservedMicros'>,
): boolean =>
  isLeft(limits.tokensPerDay, days, day, reserved) &&
  isLeft(limits.tokensPerMonth, months, monthOf(day), reserved) &&
  isLeft(limits.costPerDayMicros, costDays, day, reservedMicros) &&
  isLeft(limits.costPerMonthMicros, costMonths, monthOf(day), reservedMicros)

const isLeft = (limit: number | null, sums: PeriodSums, period: number, reserved: number): boolean => {
  if (limit === null) return true
  const settled = sumOf(sums, period)
  return settled !== null && settled + reserved <= budgetPart * limit
}
