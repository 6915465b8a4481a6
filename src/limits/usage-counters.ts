import { monthOf } from '../base/calendar.ts'
import { addToSum, isLoading, type PeriodSums } from './period-sums.ts'
import { addToWindow, createSlidingWindow, type SlidingWindow, windowTotal } from './sliding-window.ts'

/** What is counted of one key, one organisation or the server. All of it, whatever is limited: a limit can come later. */
export type UsageCounters = {
  /** Requests that were let in. */
  requests: SlidingWindow
  /** Tokens that were settled, at the time of settlement. */
  settled: SlidingWindow
  /** Requests that passed the precheck and were refused afterwards. */
  refused: SlidingWindow
  /** Requests between precheck and admission, whose body is being read. Each holds a place in both counts of requests. */
  entering: number
  running: number
  /** Tokens held for running requests. */
  reserved: number
  days: PeriodSums
  months: PeriodSums
}

export const createUsageCounters = (): UsageCounters => ({
  requests: createSlidingWindow(),
  settled: createSlidingWindow(),
  refused: createSlidingWindow(),
  entering: 0,
  running: 0,
  reserved: 0,
  days: [],
  months: [],
})

export const beginRequest = (counters: UsageCounters, nowMs: number, tokens: number): void => {
  addToWindow(counters.requests, nowMs, 1)
  counters.running += 1
  counters.reserved += tokens
}

type Ended = { nowMs: number; day: number; reservedTokens: number; usedTokens: number }

export const endRequest = (counters: UsageCounters, { nowMs, day, reservedTokens, usedTokens }: Ended): void => {
  counters.running -= 1
  counters.reserved -= reservedTokens
  addToWindow(counters.settled, nowMs, usedTokens)
  addToSum(counters.days, day, usedTokens)
  addToSum(counters.months, monthOf(day), usedTokens)
}

/** Tokens that count for a minute. Those of running requests count in full: they may all still come. */
export const minuteTokens = (counters: UsageCounters, nowMs: number): number =>
  counters.reserved + windowTotal(counters.settled, nowMs)

/** Nothing of it would be missed: its sums can be read from the store again. */
export const isIdle = (counters: UsageCounters, nowMs: number): boolean =>
  counters.running === 0 &&
  counters.entering === 0 &&
  windowTotal(counters.requests, nowMs) === 0 &&
  windowTotal(counters.settled, nowMs) === 0 &&
  windowTotal(counters.refused, nowMs) === 0 &&
  !isLoading(counters.days) &&
  !isLoading(counters.months)
