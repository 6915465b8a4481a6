import { isPeriod, type LimitName, type LimitUnit } from '../config/limit-kinds.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import { periodAt, periodEndsAt } from './period.ts'
import { sumOf } from './period-sums.ts'
import type { SetLimit } from './set-limits.ts'
import { windowFallsTo, windowTotal } from './sliding-window.ts'
import { type Amount, amountIn, minuteTokens, reservedIn, type UsageCounters } from './usage-counters.ts'

/** A limit that a request would exceed. */
export type ExceededLimit = Refusal & { entity: LimitedEntity; limit: LimitName; unit: LimitUnit; max: number }

type Refusal = {
  used: number
  /**
   * `too_large`: the request never fits. `used_up`: a budget is exhausted until its period ends. `window`: it fits once
   * enough has left the last 60 seconds. `running`: it fits once running requests have ended.
   */
  reason: 'too_large' | 'used_up' | 'window' | 'running'
  /** After this time the limit allows the request, if there are no others. */
  waitMs: number
}

/** When running requests end is unknown; an earlier retry is hardly worth it. */
const runningWaitMs = 1_000

/**
 * The exceeded limit that takes longest to clear, the narrowest on a tie, or null. Waiting only ever frees a limit, so when
 * this one has cleared all of them have.
 */
export const decide = (entities: readonly LimitedEntity[], needed: Amount, at: Moment): ExceededLimit | null =>
  worstExceededLimit(entities, at, check, needed)

/**
 * The same for a request whose body has not been read. Tokens per minute are left out, because the wait depends on how many
 * the request needs. A budget refuses the request only when it is exhausted, one in money only if the request costs something
 * whatever its model is: `leastCostMicros`.
 */
export const decideWithoutBody = (
  entities: readonly LimitedEntity[],
  leastCostMicros: number,
  at: Moment,
): ExceededLimit | null =>
  worstExceededLimit(entities, at, checkWithoutBody, { requests: 1, tokens: 1, costMicros: leastCostMicros })

type Check = (limit: SetLimit, counters: UsageCounters, needed: Amount, at: Moment) => Refusal | null

const worstExceededLimit = (
  entities: readonly LimitedEntity[],
  at: Moment,
  checkOne: Check,
  needed: Amount,
): ExceededLimit | null => {
  let worst: ExceededLimit | null = null
  for (const entity of entities)
    for (const limit of entity.limits) {
      const refusal = checkOne(limit, entity.counters, needed, at)
      if (refusal === null) continue
      const exceeded = { ...refusal, entity, limit: limit.name, unit: limit.unit, max: limit.max }
      if (worst === null || isWorse(exceeded, worst)) worst = exceeded
    }
  return worst
}

/**
 * Among limits that a request never fits, the smallest is reported: a request that fits it fits the others. Tokens
 * cannot be compared with money, and come first.
 */
const isWorse = (one: ExceededLimit, other: ExceededLimit): boolean => {
  if (one.reason !== 'too_large' || other.reason !== 'too_large') return one.waitMs > other.waitMs
  return one.unit === other.unit ? one.max < other.max : other.unit === 'money'
}

const check: Check = (limit, counters, needed, at) => {
  const { unit, window } = limit
  if (isPeriod(window)) return checkBudget(limit, counters, needed, at)
  if (window === 'in_flight') return checkInFlight(limit, counters)
  return unit === 'requests'
    ? checkRequestsOfMinute(limit, counters, at)
    : checkTokensOfMinute(limit, counters, needed, at)
}

const checkWithoutBody: Check = (limit, counters, needed, at) => {
  const { unit, window } = limit
  if (unit === 'tokens' && window === 'minute') return null
  const refusal = check(limit, counters, needed, at)
  // What is reserved for running requests may be released while the body is read.
  return isPeriod(window) && refusal?.reason !== 'used_up' ? null : refusal
}

const checkRequestsOfMinute = (
  { max }: SetLimit,
  { requests, entering }: UsageCounters,
  { nowMs }: Moment,
): Refusal | null => {
  const used = windowTotal(requests, nowMs) + entering
  if (used + 1 <= max) return null
  const room = max - entering - 1
  // Requests whose body is still being read may be refused, and are then not in the window.
  if (room < 0) return { used, reason: 'running', waitMs: runningWaitMs }
  return { used, reason: 'window', waitMs: windowFallsTo(requests, nowMs, room) - nowMs }
}

const checkTokensOfMinute = (
  { max }: SetLimit,
  counters: UsageCounters,
  { tokens }: Amount,
  { nowMs }: Moment,
): Refusal | null => {
  const used = minuteTokens(counters, nowMs)
  if (used + tokens <= max) return null
  if (tokens > max) return tooLarge(used)
  const room = max - counters.reserved - tokens
  if (room < 0) return { used, reason: 'running', waitMs: runningWaitMs }
  // Running requests settle at most what is reserved for them, so they cannot extend the wait.
  return { used, reason: 'window', waitMs: windowFallsTo(counters.settled, nowMs, room) - nowMs }
}

const checkInFlight = ({ max }: SetLimit, { running, entering }: UsageCounters): Refusal | null => {
  const used = running + entering
  return used + 1 <= max ? null : { used, reason: 'running', waitMs: runningWaitMs }
}

const checkBudget = (limit: SetLimit, counters: UsageCounters, amount: Amount, at: Moment): Refusal | null => {
  const { unit, window, max } = limit
  const needed = amountIn(unit, amount)
  // A request that costs nothing fits a money budget that is exceeded.
  if ((unit === 'money' && needed === 0) || !isPeriod(window)) return null
  const settled = settledUse(limit, counters, at.day)
  const used = settled + reservedIn(unit, counters)
  if (used + needed <= max) return null
  if (needed > max) return tooLarge(used)
  // What is reserved for running requests may be released.
  if (settled + needed <= max) return { used, reason: 'running', waitMs: runningWaitMs }
  return { used, reason: 'used_up', waitMs: periodEndsAt(window, at) - at.now }
}

const tooLarge = (used: number): Refusal => ({ used, reason: 'too_large', waitMs: Number.POSITIVE_INFINITY })

/** What is settled of a budget in its current period; 0 for other limits. Decisions are made only once all sums are loaded. */
export const settledUse = ({ name, window, sumIndex }: SetLimit, { sums }: UsageCounters, day: number): number => {
  if (!isPeriod(window)) return 0
  const ofBudget = sums[sumIndex]
  const settled = ofBudget === undefined ? null : sumOf(ofBudget, periodAt(window, day))
  if (settled === null) throw new Error(`what is used of ${name} is not loaded`)
  return settled
}
