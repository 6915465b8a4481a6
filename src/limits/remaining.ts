import { isPeriod, type LimitUnit } from '../config/limit-kinds.ts'
import { settledUse } from './decide.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import { minuteTokens, reservedIn } from './usage-counters.ts'

/** How many more tokens all limits allow now; infinite without limits. */
export const remainingTokens = (entities: readonly LimitedEntity[], at: Moment): number =>
  Math.min(remainingOfMinute(entities, at), remainingOfBudgets(entities, 'tokens', at))

/** How many more tokens the limits per minute allow; some become free again by waiting. */
export const remainingOfMinute = (entities: readonly LimitedEntity[], { nowMs }: Moment): number => {
  let remaining = Number.POSITIVE_INFINITY
  for (const { limits, counters } of entities)
    for (const { unit, window, max } of limits)
      if (unit === 'tokens' && window === 'minute') remaining = Math.min(remaining, max - minuteTokens(counters, nowMs))
  return remaining
}

/** How much more the budgets of a unit allow now, in tokens or micros; infinite without such budgets. */
export const remainingOfBudgets = (entities: readonly LimitedEntity[], wanted: LimitUnit, { day }: Moment): number => {
  let remaining = Number.POSITIVE_INFINITY
  for (const { limits, counters } of entities)
    for (const limit of limits)
      if (limit.unit === wanted && isPeriod(limit.window))
        remaining = Math.min(remaining, limit.max - settledUse(limit, counters, day) - reservedIn(wanted, counters))
  return remaining
}

/** The maximum number of tokens, or micros, that one request may ever reserve. */
export const narrowestLimit = (entities: readonly Pick<LimitedEntity, 'limits'>[], wanted: LimitUnit): number => {
  let narrowest = Number.POSITIVE_INFINITY
  for (const { limits } of entities)
    for (const { unit, max } of limits) if (unit === wanted) narrowest = Math.min(narrowest, max)
  return narrowest
}
