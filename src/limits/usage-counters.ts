import { budgetNames, type LimitUnit, limitKinds } from '../config/limit-kinds.ts'
import { periodAt } from './period.ts'
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
  /** What is settled in days and months: one for each budget, in the order of the table of limits. */
  sums: readonly PeriodSums[]
}

export const createUsageCounters = (): UsageCounters => ({
  requests: createSlidingWindow(),
  settled: createSlidingWindow(),
  refused: createSlidingWindow(),
  entering: 0,
  running: 0,
  reserved: 0,
  reservedMicros: 0,
  sums: budgets.map(() => []),
})

/** The unit and period of each sum. */
const budgets = budgetNames.map((name) => limitKinds[name])

/** What a request needs or has used. */
export type Amount = { requests: number; tokens: number; costMicros: number }

/** A switch, because lookups by varying names are slow. */
export const amountIn = (unit: LimitUnit, { requests, tokens, costMicros }: Amount): number =>
  unit === 'tokens' ? tokens : unit === 'money' ? costMicros : requests

/** The amount that running requests may still use. */
export const reservedIn = (unit: LimitUnit, { running, reserved, reservedMicros }: ReservedCounters): number =>
  unit === 'tokens' ? reserved : unit === 'money' ? reservedMicros : running
export type ReservedCounters = Pick<UsageCounters, 'running' | 'reserved' | 'reservedMicros'>

type Reserved = Pick<Amount, 'tokens' | 'costMicros'>

export const beginRequest = (counters: UsageCounters, nowMs: number, { tokens, costMicros }: Reserved): void => {
  addToWindow(counters.requests, nowMs, 1)
  counters.running += 1
  counters.reserved += tokens
  counters.reservedMicros += costMicros
}

type Ended = { nowMs: number; day: number; reserved: Reserved; used: Amount }

export const endRequest = (counters: UsageCounters, { nowMs, day, reserved, used }: Ended): void => {
  releaseRequest(counters, reserved)
  addToWindow(counters.settled, nowMs, used.tokens)
  for (let index = 0; index < budgets.length; index += 1) {
    const budget = budgets[index]
    const sums = counters.sums[index]
    if (budget !== undefined && sums !== undefined && sums.length > 0)
      addToSum(sums, periodAt(budget.window, day), amountIn(budget.unit, used))
  }
}

/** The request has ended without using anything. */
export const releaseRequest = (counters: UsageCounters, { tokens, costMicros }: Reserved): void => {
  counters.running -= 1
  counters.reserved -= tokens
  counters.reservedMicros -= costMicros
}

/** Tokens that count against a minute. Reserved ones count in full, because they may all be used. */
export const minuteTokens = (counters: UsageCounters, nowMs: number): number =>
  counters.reserved + windowTotal(counters.settled, nowMs)

/** Whether the counters can be dropped: the sums can be read from the store again. */
export const isIdle = (counters: UsageCounters, nowMs: number): boolean =>
  counters.running === 0 &&
  counters.entering === 0 &&
  windowTotal(counters.requests, nowMs) === 0 &&
  windowTotal(counters.settled, nowMs) === 0 &&
  windowTotal(counters.refused, nowMs) === 0 &&
  !counters.sums.some(isLoading)
