import { monthOf, nextDayAt, nextMonthAt } from '../base/calendar.ts'
import { settledIn } from './decide.ts'
import type { LimitName } from './limit-settings.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { LimitUse, UsageSnapshot } from './limiter-contract.ts'
import { windowEmptiesAt, windowTotal } from './sliding-window.ts'
import { minuteTokens, type UsageCounters } from './usage-counters.ts'

/** How much of each limit is used. */
export const usageSnapshotOf = ({ scope, limits, counters }: LimitedEntity, at: Moment): UsageSnapshot => {
  const uses: UsageSnapshot['uses'] = {}
  for (const name of limitNames) {
    const limit = limits[name]
    if (limit !== null) uses[name] = { limit, ...readings[name](counters, at) }
  }
  return { scope, uses }
}

type Read = (counters: UsageCounters, at: Moment) => Omit<LimitUse, 'limit'>

const readings: Record<LimitName, Read> = {
  requestsPerMinute: ({ requests, entering }, { nowMs, now }) => ({
    used: windowTotal(requests, nowMs) + entering,
    resetsAt: now + Math.ceil(windowEmptiesAt(requests, nowMs) - nowMs),
  }),
  tokensPerMinute: (counters, { nowMs, now }) => ({
    used: minuteTokens(counters, nowMs),
    resetsAt: counters.running > 0 ? null : now + Math.ceil(windowEmptiesAt(counters.settled, nowMs) - nowMs),
  }),
  requestsInFlight: ({ running, entering }, { now }) => ({
    used: running + entering,
    resetsAt: running + entering > 0 ? null : now,
  }),
  tokensPerDay: ({ days, reserved }, { now, day, timeZone }) => ({
    used: settledIn(days, day) + reserved,
    resetsAt: nextDayAt(now, timeZone),
  }),
  tokensPerMonth: ({ months, reserved }, { now, day, timeZone }) => ({
    used: settledIn(months, monthOf(day)) + reserved,
    resetsAt: nextMonthAt(now, timeZone),
  }),
  costPerDayMicros: ({ costDays, reservedMicros }, { now, day, timeZone }) => ({
    used: settledIn(costDays, day) + reservedMicros,
    resetsAt: nextDayAt(now, timeZone),
  }),
  costPerMonthMicros: ({ costMonths, reservedMicros }, { now, day, timeZone }) => ({
    used: settledIn(costMonths, monthOf(day)) + reservedMicros,
    resetsAt: nextMonthAt(now, timeZone),
  }),
}

const limitNames = Object.keys(readings).filter((name): name is LimitName => name in readings)
