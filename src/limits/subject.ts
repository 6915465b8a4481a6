import { monthOf } from '../base/calendar.ts'
import { addToSum, isLoading, type PeriodSums } from './period-sums.ts'
import { addToWindow, createSlidingWindow, type SlidingWindow, windowTotal } from './sliding-window.ts'

/** What is counted of one key, one organisation or the server. All of it, whatever is limited: a limit can come later. */
export type Subject = {
  /** Requests that were let in. */
  requests: SlidingWindow
  /** Tokens that were settled, at the time of settlement. */
  settled: SlidingWindow
  /** Requests that passed the knock and were refused afterwards. */
  refused: SlidingWindow
  /** Requests between their knock and their admission, whose body is being read. Each holds a place in both counts of requests. */
  entering: number
  running: number
  /** Tokens held for running requests. */
  reserved: number
  days: PeriodSums
  months: PeriodSums
}

export const createSubject = (): Subject => ({
  requests: createSlidingWindow(),
  settled: createSlidingWindow(),
  refused: createSlidingWindow(),
  entering: 0,
  running: 0,
  reserved: 0,
  days: [],
  months: [],
})

export const beginRequest = (subject: Subject, nowMs: number, tokens: number): void => {
  addToWindow(subject.requests, nowMs, 1)
  subject.running += 1
  subject.reserved += tokens
}

type Ended = { nowMs: number; day: number; reservedTokens: number; usedTokens: number }

export const endRequest = (subject: Subject, { nowMs, day, reservedTokens, usedTokens }: Ended): void => {
  subject.running -= 1
  subject.reserved -= reservedTokens
  addToWindow(subject.settled, nowMs, usedTokens)
  addToSum(subject.days, day, usedTokens)
  addToSum(subject.months, monthOf(day), usedTokens)
}

/** Tokens that count for a minute. Those of running requests count in full: they may all still come. */
export const minuteTokens = (subject: Subject, nowMs: number): number =>
  subject.reserved + windowTotal(subject.settled, nowMs)

/** Nothing of it would be missed: its sums can be read from the store again. */
export const isIdle = (subject: Subject, nowMs: number): boolean =>
  subject.running === 0 &&
  subject.entering === 0 &&
  windowTotal(subject.requests, nowMs) === 0 &&
  windowTotal(subject.settled, nowMs) === 0 &&
  windowTotal(subject.refused, nowMs) === 0 &&
  !isLoading(subject.days) &&
  !isLoading(subject.months)
