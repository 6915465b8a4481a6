import { monthOf } from '../base/calendar.ts'
import { settledIn } from './decide.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import { minuteTokens } from './usage-counters.ts'

/** How many more tokens all limits allow now; infinite without limits. */
export const remainingTokens = (entities: readonly LimitedEntity[], at: Moment): number =>
  Math.min(remainingOfMinute(entities, at), remainingOfBudgets(entities, at))

/** How many more the limits of a minute allow: waiting gives some back. */
export const remainingOfMinute = (entities: readonly LimitedEntity[], { nowMs }: Moment): number => {
  let remaining = Number.POSITIVE_INFINITY
  for (const { limits, counters } of entities)
    if (limits.tokensPerMinute !== null)
      remaining = Math.min(remaining, limits.tokensPerMinute - minuteTokens(counters, nowMs))
  return remaining
}

/** How many more the budgets in tokens allow. */
export const remainingOfBudgets = (entities: readonly LimitedEntity[], { day }: Moment): number => {
  let remaining = Number.POSITIVE_INFINITY
  for (const { limits, counters } of entities) {
    const { tokensPerDay, tokensPerMonth } = limits
    const { days, months, reserved } = counters
    if (tokensPerDay !== null) remaining = Math.min(remaining, tokensPerDay - settledIn(days, day) - reserved)
    if (tokensPerMonth !== null)
      remaining = Math.min(remaining, tokensPerMonth - settledIn(months, monthOf(day)) - reserved)
  }
  return remaining
}

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
