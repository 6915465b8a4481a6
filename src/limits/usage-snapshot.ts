import { isPeriod } from '../config/limit-kinds.ts'
import { settledUse } from './decide.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { LimitUse, UsageSnapshot } from './limiter-contract.ts'
import { periodEndsAt } from './period.ts'
import type { SetLimit } from './set-limits.ts'
import { windowEmptiesAt, windowTotal } from './sliding-window.ts'
import { minuteTokens, reservedIn, type UsageCounters } from './usage-counters.ts'

/** How much of each limit is used. */
export const takeUsageSnapshot = ({ scope, limits, counters }: LimitedEntity, at: Moment): UsageSnapshot => {
  const uses: UsageSnapshot['uses'] = {}
  for (const limit of limits) uses[limit.name] = { limit: limit.max, ...measureUse(limit, counters, at) }
  return { scope, uses }
}

const measureUse = (limit: SetLimit, counters: UsageCounters, at: Moment): Omit<LimitUse, 'limit'> => {
  const { unit, window } = limit
  const { requests, settled, entering, running } = counters
  const { nowMs, now, day } = at
  if (isPeriod(window))
    return { used: settledUse(limit, counters, day) + reservedIn(unit, counters), resetsAt: periodEndsAt(window, at) }
  if (window === 'in_flight') return { used: running + entering, resetsAt: running + entering > 0 ? null : now }
  if (unit === 'requests')
    return {
      used: windowTotal(requests, nowMs) + entering,
      resetsAt: now + Math.ceil(windowEmptiesAt(requests, nowMs) - nowMs),
    }
  return {
    used: minuteTokens(counters, nowMs),
    resetsAt: running > 0 ? null : now + Math.ceil(windowEmptiesAt(settled, nowMs) - nowMs),
  }
}
