import { monthOf, nextDayAt, nextMonthAt } from '../base/calendar.ts'
import type { Limits } from '../store/ledger-contract.ts'
import type { LimitName } from './limit-settings.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import { type PeriodSums, sumOf } from './period-sums.ts'
import { windowFallsTo, windowTotal } from './sliding-window.ts'
import { minuteTokens, type UsageCounters } from './usage-counters.ts'

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
export const decide = (entities: readonly LimitedEntity[], tokens: number, at: Moment): ExceededLimit | null =>
  worstExceededLimit(entities, at, allChecks, tokens)

/**
 * The same for a request whose body has not been read. Tokens per minute are left out, because the wait depends on how many
 * the request needs. A budget refuses it only when it is exhausted.
 */
export const decideWithoutBody = (entities: readonly LimitedEntity[], at: Moment): ExceededLimit | null =>
  worstExceededLimit(entities, at, checksWithoutBody, leastTokens)

const leastTokens = 1

const worstExceededLimit = (
  entities: readonly LimitedEntity[],
  at: Moment,
  checks: readonly LimitCheck[],
  tokens: number,
): ExceededLimit | null => {
  let worst: ExceededLimit | null = null
  for (const entity of entities)
    for (const { limit, mostOf, check } of checks) {
      const most = mostOf(entity.limits)
      if (most === null) continue
      const refusal = check(entity.counters, most, tokens, at)
      if (refusal === null) continue
      const exceeded = { ...refusal, entity, limit, most }
      if (worst === null || isWorse(exceeded, worst)) worst = exceeded
    }
  return worst
}

/** Of limits that a request never fits, the smallest is reported: a request that fits it fits the others. */
const isWorse = (one: ExceededLimit, other: ExceededLimit): boolean =>
  one.reason === 'too_large' && other.reason === 'too_large' ? one.most < other.most : one.waitMs > other.waitMs

type Check = (counters: UsageCounters, most: number, tokens: number, at: Moment) => Refusal | null

const checks: Record<LimitName, Check> = {
  requestsPerMinute({ requests, entering }, most, _tokens, { nowMs }) {
    const used = windowTotal(requests, nowMs) + entering
    if (used + 1 <= most) return null
    const room = most - entering - 1
    // Requests whose body is still being read may be refused, and are then not in the window.
    if (room < 0) return { used, reason: 'running', waitMs: runningWaitMs }
    return { used, reason: 'window', waitMs: windowFallsTo(requests, nowMs, room) - nowMs }
  },
  tokensPerMinute(counters, most, tokens, { nowMs }) {
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
  tokensPerDay(counters, most, tokens, { now, day, timeZone }) {
    const settled = settledIn(counters.days, day)
    return checkBudget(counters, most, tokens, settled, () => nextDayAt(now, timeZone) - now)
  },
  tokensPerMonth(counters, most, tokens, { now, day, timeZone }) {
    const settled = settledIn(counters.months, monthOf(day))
    return checkBudget(counters, most, tokens, settled, () => nextMonthAt(now, timeZone) - now)
  },
}

/** Tokens reserved for running requests may be released while the body is read. */
const onlyUsedUp =
  (check: Check): Check =>
  (counters, most, tokens, at) => {
    const refusal = check(counters, most, tokens, at)
    return refusal?.reason === 'used_up' ? refusal : null
  }

type LimitCheck = { limit: LimitName; mostOf: (limits: Limits) => number | null; check: Check }

/** Each reads its limit by a fixed name: lookups by varying names are slow, and an admission has fifteen. */
const allChecks: readonly LimitCheck[] = [
  { limit: 'requestsPerMinute', mostOf: (limits) => limits.requestsPerMinute, check: checks.requestsPerMinute },
  { limit: 'tokensPerMinute', mostOf: (limits) => limits.tokensPerMinute, check: checks.tokensPerMinute },
  { limit: 'requestsInFlight', mostOf: (limits) => limits.requestsInFlight, check: checks.requestsInFlight },
  { limit: 'tokensPerDay', mostOf: (limits) => limits.tokensPerDay, check: checks.tokensPerDay },
  { limit: 'tokensPerMonth', mostOf: (limits) => limits.tokensPerMonth, check: checks.tokensPerMonth },
]

const checksWithoutBody: readonly LimitCheck[] = allChecks
  .filter(({ limit }) => limit !== 'tokensPerMinute')
  .map((one) => (one.limit.startsWith('tokens') ? { ...one, check: onlyUsedUp(one.check) } : one))

const checkBudget = (
  { reserved }: UsageCounters,
  most: number,
  tokens: number,
  settled: number,
  untilNext: () => number,
): Refusal | null => {
  const used = settled + reserved
  if (used + tokens <= most) return null
  if (tokens > most) return tooLarge(used)
  // Tokens reserved for running requests may be released.
  if (settled + tokens <= most) return { used, reason: 'running', waitMs: runningWaitMs }
  return { used, reason: 'used_up', waitMs: untilNext() }
}

const tooLarge = (used: number): Refusal => ({ used, reason: 'too_large', waitMs: Number.POSITIVE_INFINITY })

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
export const narrowestTokenLimit = (entities: readonly LimitedEntity[]): number => {
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

/** Decisions are made only once the sums that they need are loaded. */
export const settledIn = (sums: PeriodSums, period: number): number => {
  const tokens = sumOf(sums, period)
  if (tokens === null) throw new Error(`the tokens of ${period} are not loaded`)
  return tokens
}
