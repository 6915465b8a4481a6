import { monthOf } from '../base/calendar.ts'
import { addToSum, isLoading, type PeriodSums } from './period-sums.ts'
import { addToWindow, createSlidingWindow, type SlidingWindow, windowTotal } from './sliding-window.ts'

/** What is counted for a key, an organisation or the server, even without a limit: one may be set later. */
export type UsageCounters = {
  /** Admitted requests. */
  requests: SlidingWindow
  /** Settled tokens, at the time of settlement. */
  settled: SlidingWindow
  /** Requests that passed the precheck and were refused later. */
  refused: SlidingWindow
  /** Requests between precheck and admission. They count as in flight, and as requests per minute. */
  entering: number
  running: number
  /** Tokens reserved for running requests. */
  reserved: number
  /** What they can cost at most. */
  reservedMicros: number
  days: PeriodSums
  months: PeriodSums
  costDays: PeriodSums
  costMonths: PeriodSums
}

export const createUsageCounters = (): UsageCounters => ({
  requests: createSlidingWindow(),
  settled: createSlidingWindow(),
  refused: createSlidingWindow(),
  entering: 0,
  running: 0,
  reserved: 0,
  reservedMicros: 0,
  days: [],
  months: [],
  costDays: [],
  costMonths: [],
})

/** What a request needs or has used. */
export type Amount = { tokens: number; costMicros: number }

export const beginRequest = (counters: UsageCounters, nowMs: number, { tokens, costMicros }: Amount): void => {
  addToWindow(counters.requests, nowMs, 1)
  counters.running += 1
  counters.reserved += tokens
  counters.reservedMicros += costMicros
}

type Ended = { nowMs: number; day: number; reserved: Amount; used: Amount }

export const endRequest = (counters: UsageCounters, { nowMs, day, reserved, used }: Ended): void => {
  counters.running -= 1
  counters.reserved -= reserved.tokens
  counters.reservedMicros -= reserved.costMicros
  addToWindow(counters.settled, nowMs, used.tokens)
  addToSum(counters.days, day, used.tokens)
  addToSum(counters.months, monthOf(day), used.tokens)
  addToSum(counters.costDays, day, used.costMicros)
  addToSum(counters.costMonths, monthOf(day), used.costMicros)
}

/** Tokens that count against a minute. Reserved ones count in full, because they may all be used. */
export const minuteTokens = (counters: UsageCounters, nowMs: number): number =>
  counters.reserved + windowTotal(counters.settled, nowMs)

/** It can be dropped: its sums can be read from the store again. */
export const isIdle = (counters: UsageCounters, nowMs: number): boolean =>
  counters.running === 0 &&
  counters.entering === 0 &&
  windowTotal(counters.requests, nowMs) === 0 &&
  windowTotal(counters.settled, nowMs) === 0 &&
  windowTotal(counters.refused, nowMs) === 0 &&
  !isLoading(counters.days) &&
  !isLoading(counters.months) &&
  !isLoading(counters.costDays) &&
  !isLoading(counters.costMonths)
