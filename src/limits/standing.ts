import { monthOf, nextDayAt, nextMonthAt } from '../base/calendar.ts'
import { settledIn } from './decide.ts'
import type { LimitName } from './limit-settings.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { LimitUse, Standing } from './limiter.ts'
import { windowEmptiesAt, windowTotal } from './sliding-window.ts'
import { minuteTokens, type Subject } from './subject.ts'

/** How much of each limit is used, for people and programs that ask. */
export const standingOf = ({ scope, limits, subject }: LimitedEntity, at: Moment): Standing => {
  const uses: Standing['uses'] = {}
  for (const name of limitNames) {
    const limit = limits[name]
    if (limit !== null) uses[name] = { limit, ...readings[name](subject, at) }
  }
  return { scope, uses }
}

type Read = (subject: Subject, at: Moment) => Omit<LimitUse, 'limit'>

const readings: Record<LimitName, Read> = {
  requestsPerMinute: ({ requests, entering }, { nowMs, now }) => ({
    used: windowTotal(requests, nowMs) + entering,
    resetsAt: now + Math.ceil(windowEmptiesAt(requests, nowMs) - nowMs),
  }),
  tokensPerMinute: (subject, { nowMs, now }) => ({
    used: minuteTokens(subject, nowMs),
    resetsAt: subject.running > 0 ? null : now + Math.ceil(windowEmptiesAt(subject.settled, nowMs) - nowMs),
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
}

const limitNames = Object.keys(readings).filter((name): name is LimitName => name in readings)
