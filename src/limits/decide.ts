import { monthOf, nextDayAt, nextMonthAt } from '../base/calendar.ts'
import type { Limits } from '../store/ledger-contract.ts'
import { isCostLimit, type LimitName } from './limit-settings.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import { type PeriodSums, sumOf } from './period-sums.ts'
import { windowFallsTo, windowTotal } from './sliding-window.ts'
import { type Amount, minuteTokens, type UsageCounters } from './usage-counters.ts'

/** A limit that a request would exceed. */
export type ExceededLimit = Refusal & { entity: LimitedEntity; limit: LimitName; most: number }

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
  worstExceededLimit(entities, at, allChecks, needed)

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
  worstExceededLimit(entities, at, checksWithoutBody, { tokens: 1, costMicros: leastCostMicros })

const worstExceededLimit = (
  entities: readonly LimitedEntity[],
  at: Moment,
  checks: readonly LimitCheck[],
  needed: Amount,
): ExceededLimit | null => {
  let worst: ExceededLimit | null = null
  for (const entity of entities)
    for (const { limit, mostOf, check } of checks) {
      const most = mostOf(entity.limits)
      if (most === null) continue
      const refusal = check(entity.counters, most, needed, at)
      if (refusal === null) continue
      const exceeded = { ...refusal, entity, limit, most }
      if (worst === null || isWorse(exceeded, worst)) worst = exceeded
    }
  return worst
}

/**
 * Of limits that a request never fits, the smallest is reported: a request that fits it fits the others. Tokens cannot be
 * compared with money, and come first.
 */
const isWorse = (one: ExceededLimit, other: ExceededLimit): boolean => {
  if (one.reason !== 'too_large' || other.reason !== 'too_large') return one.waitMs > other.waitMs
  return isCostLimit(one.limit) === isCostLimit(other.limit) ? one.most < other.most : isCostLimit(other.limit)
}

type Check = (counters: UsageCounters, most: number, needed: Amount, at: Moment) => Refusal | null

const checks: Record<LimitName, Check> = {
  requestsPerMinute({ requests, entering }, most, _needed, { nowMs }) {
    const used = windowTotal(requests, nowMs) + entering
    if (used + 1 <= most) return null
    const room = most - entering - 1
    // Requests whose body is still being read may be refused, and are then not in the window.
    if (room < 0) return { used, reason: 'running', waitMs: runningWaitMs }
    return { used, reason: 'window', waitMs: windowFallsTo(requests, nowMs, room) - nowMs }
  },
  tokensPerMinute(counters, most, { tokens }, { nowMs }) {
    const used = minuteTokens(counters, nowMs)
    if (used + tokens <= most) return null
    if (tokens > most) return tooLarge(used)
    const room = most - counters.reserved - tokens
    if (room < 0) return { used, reason: 'running', waitMs: runningWaitMs }
    // Running requests settle at most what is reserved for them, so they cannot extend the wait.
    return { used, reason: 'window', waitMs: windowFallsTo(counters.settled, nowMs, room) - nowMs }
  },
  requestsInFlight({ running, entering }, most) {
    const used = running + entering
    return used + 1 <= most ? null : { used, reason: 'running', waitMs: runningWaitMs }
  },
  tokensPerDay({ days, reserved }, most, { tokens }, { now, day, timeZone }) {
    const settled = settledIn(days, day)
    return checkBudget({ most, settled, reserved, needed: tokens }, () => nextDayAt(now, timeZone) - now)
  },
  tokensPerMonth({ months, reserved }, most, { tokens }, { now, day, timeZone }) {
    const settled = settledIn(months, monthOf(day))
    return checkBudget({ most, settled, reserved, needed: tokens }, () => nextMonthAt(now, timeZone) - now)
  },
  costPerDayMicros({ costDays, reservedMicros: reserved }, most, { costMicros }, { now, day, timeZone }) {
    if (costMicros === 0) return null
    const settled = settledIn(costDays, day)
    return checkBudget({ most, settled, reserved, needed: costMicros }, () => nextDayAt(now, timeZone) - now)
  },
  costPerMonthMicros({ costMonths, reservedMicros: reserved }, most, { costMicros }, { now, day, timeZone }) {
    if (costMicros === 0) return null
    const settled = settledIn(costMonths, monthOf(day))
    return checkBudget({ most, settled, reserved, needed: costMicros }, () => nextMonthAt(now, timeZone) - now)
  },
}

/** Tokens reserved for running requests may be released while the body is read. */
const onlyUsedUp =
  (check: Check): Check =>
  (counters, most, needed, at) => {
    const refusal = check(counters, most, needed, at)
    return refusal?.reason === 'used_up' ? refusal : null
  }

type LimitCheck = { limit: LimitName; mostOf: (limits: Limits) => number | null; check: Check }

/** Each reads its limit by a fixed name: lookups by varying names are slow, and an admission has twenty-one. */
const allChecks: readonly LimitCheck[] = [
  { limit: 'requestsPerMinute', mostOf: (limits) => limits.requestsPerMinute, check: checks.requestsPerMinute },
  { limit: 'tokensPerMinute', mostOf: (limits) => limits.tokensPerMinute, check: checks.tokensPerMinute },
  { limit: 'requestsInFlight', mostOf: (limits) => limits.requestsInFlight, check: checks.requestsInFlight },
  { limit: 'tokensPerDay', mostOf: (limits) => limits.tokensPerDay, check: checks.tokensPerDay },
  { limit: 'tokensPerMonth', mostOf: (limits) => limits.tokensPerMonth, check: checks.tokensPerMonth },
  { limit: 'costPerDayMicros', mostOf: (limits) => limits.costPerDayMicros, check: checks.costPerDayMicros },
  { limit: 'costPerMonthMicros', mostOf: (limits) => limits.costPerMonthMicros, check: checks.costPerMonthMicros },
]

const checksWithoutBody: readonly LimitCheck[] = allChecks
  .filter(({ limit }) => limit !== 'tokensPerMinute')
  .map((one) =>
    one.limit.startsWith('tokens') || isCostLimit(one.limit) ? { ...one, check: onlyUsedUp(one.check) } : one,
  )

type Budget = { most: number; settled: number; reserved: number; needed: number }

const checkBudget = ({ most, settled, reserved, needed }: Budget, untilNext: () => number): Refusal | null => {
  const used = settled + reserved
  if (used + needed <= most) return null
  if (needed > most) return tooLarge(used)
  // What is reserved for running requests may be released.
  if (settled + needed <= most) return { used, reason: 'running', waitMs: runningWaitMs }
  return { used, reason: 'used_up', waitMs: untilNext() }
}

const tooLarge = (used: number): Refusal => ({ used, reason: 'too_large', waitMs: Number.POSITIVE_INFINITY })

/** Decisions are made only once the sums that they need are loaded. */
export const settledIn = (sums: PeriodSums, period: number): number => {
  const tokens = sumOf(sums, period)
  if (tokens === null) throw new Error(`the tokens of ${period} are not loaded`)
  return tokens
}
