import { monthOf } from '../base/calendar.ts'
import { addToSum, isLoading, type PeriodSums } from './period-sums.ts'
import { addToWindow, createSlidingWindow, type SlidingWindow, windowTotal } from './sliding-window.ts'

/** What is counted of one key, one organisation or the server. All of it, whatever is limited: a limit can come later. */
export type Subject = {
  /** Requests that were let in. */
  requests: SlidingWindow
  /** Tokens that were settled, at the time of settlement. */
  settled: SlidingWindow
  running: number
  /** Tokens held for running requests. */
  reserved: number
  days: PeriodSums
  months: PeriodSums
  /** What was settled and is not in the store yet. */
  unwritten: Set<Settled>
}

type Settled = { day: number; usedTokens: number }

export const createSubject = (): Subject => ({
  requests: createSlidingWindow(),
  settled: createSlidingWindow(),
  running: 0,
  reserved: 0,
  days: new Map(),
  months: new Map(),
  unwritten: new Set(),
})

export const beginRequest = (subject: Subject, nowMs: number, tokens: number): void => {
  addToWindow(subject.requests, nowMs, 1)
  subject.running += 1
  subject.reserved += tokens
}

type Ended = Settled & { nowMs: number; reservedTokens: number }

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

/** Until `written` this is not in the store, or perhaps not. */
export const holdUnwritten = (subjects: readonly Subject[], settled: Settled, written: Promise<unknown>): void => {
  for (const { unwritten } of subjects) unwritten.add(settled)
  const letGo = (): void => {
    for (const { unwritten } of subjects) unwritten.delete(settled)
  }
  written.then(letGo, letGo)
}

/** Tokens settled in a day or a month that are on their way to the store. */
export const unwrittenTokens = ({ unwritten }: Subject, isInside: (day: number) => boolean): number => {
  let tokens = 0
  for (const { day, usedTokens } of unwritten) if (isInside(day)) tokens += usedTokens
  return tokens
}

/** Nothing of it would be missed: its sums can be read from the store again. */
export const isIdle = (subject: Subject, nowMs: number): boolean =>
  subject.running === 0 &&
  subject.unwritten.size === 0 &&
  windowTotal(subject.requests, nowMs) === 0 &&
  windowTotal(subject.settled, nowMs) === 0 &&
  !isLoading(subject.days) &&
  !isLoading(subject.months)
