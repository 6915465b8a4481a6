import type { Clock } from '../../base/clock.ts'

/** How fast an upstream answers with one model, as measured. */
export interface MeasuredSpeed {
  /** How long an ordinary answer takes; null until enough was measured, and once that is long ago. */
  expectedMs(): number | null
  /** A stream began after this time. */
  began(firstTokenMs: number): void
  /** It had so many tokens, this long after it began. */
  answered(tokens: number, ms: number): void
  /** An answer of so many tokens came whole after this time. */
  cameWhole(tokens: number, ms: number): void
}

/** The weight of the newest answer. */
const smoothing = 0.2
const leastAnswers = 5
const ordinaryTokens = 256
/** In shorter answers the time depends on anything but the speed. */
const leastTokens = 8
/** Then it may have changed, and is found out again. */
const forgottenAfterMs = 300_000
/** As long as nothing better is known, a first token is taken to cost as much as so many others. */
const firstTokenCost = 32

/**
 * Of a stream, the time to the first token and the time for each further one are measured. An answer that comes whole has only
 * one time, in which both are hidden; it is divided as they are divided in streams of the same upstream. So both kinds of
 * answers say how long an ordinary one takes, and upstreams can be compared by them, whichever kind each has answered.
 */
export const createMeasuredSpeed = (clock: Pick<Clock, 'monotonicMs'>): MeasuredSpeed => {
  let firstTokenMs = 0
  let msPerToken = 0
  let begun = 0
  let isRated = false
  let measuredMs = 0
  const smooth = (before: number, value: number, isFirst: boolean): number =>
    isFirst ? value : before + smoothing * (value - before)
  const isLongAgo = (): boolean => clock.monotonicMs() - measuredMs > forgottenAfterMs
  const addFirst = (ms: number): void => {
    if (isLongAgo()) begun = 0
    firstTokenMs = smooth(firstTokenMs, ms, begun === 0)
    begun += 1
    measuredMs = clock.monotonicMs()
  }
  const addRest = (tokens: number, ms: number): void => {
    if (tokens < leastTokens || ms <= 0) return
    msPerToken = smooth(msPerToken, ms / tokens, !isRated)
    isRated = true
  }
  /** Of the time of a whole answer. */
  const firstShare = (tokens: number): number =>
    isRated ? firstTokenMs / (firstTokenMs + tokens * msPerToken) : firstTokenCost / (firstTokenCost + tokens)
  return {
    expectedMs() {
      if (begun < leastAnswers || isLongAgo()) return null
      return firstTokenMs + ordinaryTokens * msPerToken
    },
    began: addFirst,
    answered: addRest,
    cameWhole(tokens, ms) {
      const share = tokens > 0 ? firstShare(tokens) : 1
      addFirst(share * ms)
      addRest(tokens, (1 - share) * ms)
    },
  }
}
