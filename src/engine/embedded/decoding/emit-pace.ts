import type { AnswerStep } from '../answer.ts'

/** The part of an event that this file reads. */
type Result = { type: 'failed' | 'prompt' } | { type: 'step'; step: Pick<AnswerStep, 'end'>; completionTokens: number }

/** Decides whether results wait for those of the next step. */
export interface EmitPace {
  /** `tookMs`: the duration of the step that has just ended, which is the estimate for the next one. */
  mayWait(events: readonly Result[], step: { tookMs: number; nowMs: number }): boolean
  emitted(nowMs: number): void
}

/**
 * Each message to the server wakes it up, on a core that computes if there are no others, and a wake-up costs several times
 * as much as a token. On fast machines, where a step takes a few milliseconds, the tokens of some steps are therefore sent
 * together, so that a message follows the one before within this time. What is not a plain token never waits.
 */
export const createEmitPace = (intervalMs: number): EmitPace => {
  let emittedAtMs = Number.NEGATIVE_INFINITY
  return {
    mayWait: (events, { tookMs, nowMs }) => nowMs + tookMs - emittedAtMs < intervalMs && events.every(isPlainToken),
    emitted(nowMs) {
      emittedAtMs = nowMs
    },
  }
}

/** Neither the first nor the last event of its answer. */
const isPlainToken = (event: Result): boolean =>
  event.type === 'step' && event.step.end === null && event.completionTokens > 1
