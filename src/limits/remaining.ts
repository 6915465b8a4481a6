import { monthOf } from '../base/calendar.ts'
import type { Limits } from '../store/ledger-contract.ts'
import { settledIn } from './decide.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import { minuteTokens, type UsageCounters } from './usage-counters.ts'

/** How many more tokens all limits allow now; infinite without limits. */
export const remainingTokens = (entities: readonly LimitedEntity[], at: Moment): number =>
  Math.min(...entities.flatMap(({ limits, counters }) => tokenReadings.map((read) => read(limits, counters, at))))

type TokenReading = (limits: Limits, counters: UsageCounters, at: Moment) => number

const tokenReadings: readonly TokenReading[] = [
  ({ tokensPerMinute }, counters, { nowMs }) =>
    tokensPerMinute === null ? Number.POSITIVE_INFINITY : tokensPerMinute - minuteTokens(counters, nowMs),
  ({ tokensPerDay }, { days, reserved }, { day }) =>
    tokensPerDay === null ? Number.POSITIVE_INFINITY : tokensPerDay - settledIn(days, day) - reserved,
  ({ tokensPerMonth }, { months, reserved }, { day }) =>
    tokensPerMonth === null ? Number.POSITIVE_INFINITY : tokensPerMonth - settledIn(months, monthOf(day)) - reserved,
]

/** The most tokens that one request may ever reserve. */
export const narrowestTokenLimit = (entities: readonly Pick<LimitedEntity, 'limits'>[]): number => {
  let narrowest = Number.POSITIVE_INFINITY
  for (const { limits } of entities)
    narrowest = Math.min(
      narrowest,
      limits.tokensPerMinute ?? narrowest,
      limits.tokensPerDay ?? narrowest,
      limits.tokensPerMonth ?? narrowest,
    )
  return narrowest
}

/** How many more micros all budgets in money allow now; infinite without such budgets. */
export const remainingMicros = (entities: readonly LimitedEntity[], { day }: Moment): number => {
  let remaining = Number.POSITIVE_INFINITY
  for (const { limits, counters } of entities) {
    const { costPerDayMicros, costPerMonthMicros } = limits
    const { costDays, costMonths, reservedMicros } = counters
    if (costPerDayMicros !== null)
      remaining = Math.min(remaining, costPerDayMicros - settledIn(costDays, day) - reservedMicros)
    if (costPerMonthMicros !== null)
      remaining = Math.min(remaining, costPerMonthMicros - settledIn(costMonths, monthOf(day)) - reservedMicros)
  }
  return remaining
}

/** The most micros that one request may ever reserve. */
export const narrowestCostLimit = (entities: readonly Pick<LimitedEntity, 'limits'>[]): number => {
  let narrowest = Number.POSITIVE_INFINITY
  for (const { limits } of entities)
    narrowest = Math.min(narrowest, limits.costPerDayMicros ?? narrowest, limits.costPerMonthMicros ?? narrowest)
  return narrowest
}
