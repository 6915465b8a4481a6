import type { Clock } from '../../base/clock.ts'

/** How fast an upstream answers with one model, as measured. */
export interface MeasuredSpeed {
  /** How long an ordinary answer takes; null until enough was measured, and once that is long ago. */
  expectedMs(): number | null
  /** An answer began after this time. */
  began(firstTokenMs: number): void
  /** It had so many tokens, this long after it began. */
  answered(tokens: number, ms: number): void
}

/** The weight of the newest answer. */
const smoothing = 0.2
const leastAnswers = 5
const ordinaryTokens = 256
/** In shorter answers the time depends on anything but the speed. */
const leastTokens = 8
/** Then it may have changed, and is found out again. */
const forgottenAfterMs = 300_000

export const createMeasuredSpeed = (clock: Pick<Clock, 'monotonicMs'>): MeasuredSpeed => {
  let firstTokenMs = 0
  let msPerToken = 0
  let begun = 0
  let isRated = false
  let measuredMs = 0
  const smooth = (before: number, value: number, isFirst: boolean): number =>
    isFirst ? value : before + smoothing * (value - before)
  return {
    expectedMs() {
      if (begun < leastAnswers || clock.monotonicMs() - measuredMs > forgottenAfterMs) return null
      return firstTokenMs + ordinaryTokens * msPerToken
    },
    began(ms) {
      const isLongAgo = clock.monotonicMs() - measuredMs > forgottenAfterMs
      if (isLongAgo) begun = 0
      firstTokenMs = smooth(firstTokenMs, ms, begun === 0)
      begun += 1
      measuredMs = clock.monotonicMs()
    },
    answered(tokens, ms) {
      if (tokens < leastTokens || ms <= 0) return
      msPerToken = smooth(msPerToken, ms / tokens, !isRated)
      isRated = true
    },
  }
}
