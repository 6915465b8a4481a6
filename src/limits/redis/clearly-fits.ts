import { isPeriod } from '../../config/limit-kinds.ts'
import type { LimitedEntity, Moment } from '../limited-entity.ts'
import { periodAt } from '../period.ts'
import { sumOf } from '../period-sums.ts'
import type { SetLimit } from '../set-limits.ts'
import { windowTotal } from '../sliding-window.ts'
import { maxRefusedRequests, type RefusedSettings } from '../too-many-refused.ts'
import { reservedIn, type UsageCounters } from '../usage-counters.ts'

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
  const isFar = (max: number, used: number): boolean =>
    2 * (used + entering) <= max && 4 * nodes * (waiting(id) + 1) <= max
  const refused = maxRefusedRequests(scope, settings)
  return (
    (refused === 0 || 2 * nodes * windowTotal(counters.refused, nowMs) < refused) &&
    limits.every((limit) => {
      if (isPeriod(limit.window)) return isLeft(limit, counters, day, 0)
      if (limit.unit !== 'requests') return true
      return isFar(limit.max, limit.window === 'in_flight' ? counters.running : windowTotal(counters.requests, nowMs))
    })
  )
}

/**
 * Whether what is reserved matters so little that an admission need not wait until Redis knows which requests have ended: at
 * most half of the tokens for a minute, and at most 95% of each budget together with what is used.
 */
export const isLittleReserved = (entities: readonly LimitedEntity[], day: number): boolean =>
  entities.every(({ limits, counters }) =>
    limits.every((limit) => {
      const { unit, window, max } = limit
      if (isPeriod(window)) return isLeft(limit, counters, day, reservedIn(unit, counters))
      return unit !== 'tokens' || 2 * counters.reserved <= max
    }),
  )

const isLeft = (
  { window, max, sumIndex }: SetLimit,
  { sums }: UsageCounters,
  day: number,
  reserved: number,
): boolean => {
  if (!isPeriod(window)) return true
  const ofBudget = sums[sumIndex]
  const settled = ofBudget === undefined ? null : sumOf(ofBudget, periodAt(window, day))
  return settled !== null && settled + reserved <= budgetPart * max
}
