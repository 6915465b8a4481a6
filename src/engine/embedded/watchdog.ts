import type { Clock } from '../../base/clock.ts'
import type { StepProgress } from './decoding/decode-loop.ts'

/**
 * Notices an engine process that is there and does nothing: one that was stopped, or that waits for ever. It asks at regular
 * intervals, and counts the questions that went unanswered instead of looking at a clock: a server that was itself held up
 * for a while must not take that for the silence of the other.
 */
export interface Watchdog {
  /** A new process was started. It is given more time for as long as it loads. */
  start(): void
  /** The model is loaded. */
  loaded(): void
  /** It answered, whatever it is working on. */
  answered(progress: StepProgress | null): void
  /** It is gone. */
  stop(): void
}

export type Hang =
  /** Its event loop does not answer. Steps of llama.cpp run on other threads, so that a long prompt does not keep it busy. */
  | { reason: 'silent'; silentMs: number }
  /** It answers, but the step it is in has not ended for so long. */
  | { reason: 'step_stalled'; stalledMs: number }

type WatchdogOptions = {
  /** After so long without an answer the process is taken for hung, at the latest. */
  silenceLimitMs: number
  clock: Clock
  ask(): void
  onHung(hang: Hang): void
}

const questionsInLimit = 7
/** A start reads a vocabulary and much code, on a disk that may be slow. */
const loadingTimes = 5
/**
 * A step holds 512 tokens at most. This is four minutes more than the slowest machine that is of any use needs for it, and
 * half of the longest time an answer may take.
 */
const stepLimitMs = 300_000

export const createWatchdog = ({ silenceLimitMs, clock, ask, onHung }: WatchdogOptions): Watchdog => {
  const everyMs = Math.ceil(silenceLimitMs / questionsInLimit)
  const most = { loading: loadingTimes * questionsInLimit - 1, loaded: questionsInLimit - 1 }
  const mostStalled = Math.ceil(stepLimitMs / everyMs)
  let phase: keyof typeof most = 'loading'
  let isAnswered = true
  let unanswered = 0
  let lastSteps = -1
  let stalled = 0
  let cancel = (): void => {}

  const hangNow = (): Hang | null => {
    if (unanswered >= most[phase]) return { reason: 'silent', silentMs: unanswered * everyMs }
    return stalled >= mostStalled ? { reason: 'step_stalled', stalledMs: stalled * everyMs } : null
  }
  const tick = (): void => {
    unanswered = isAnswered ? 0 : unanswered + 1
    const hang = hangNow()
    if (hang !== null) {
      onHung(hang)
      return
    }
    isAnswered = false
    cancel = clock.after(everyMs, tick)
    ask()
  }
  return {
    start() {
      cancel()
      phase = 'loading'
      isAnswered = true
      unanswered = 0
      lastSteps = -1
      stalled = 0
      cancel = clock.after(everyMs, tick)
    },
    loaded() {
      phase = 'loaded'
      isAnswered = true
      unanswered = 0
    },
    answered(progress) {
      isAnswered = true
      unanswered = 0
      const isSameStep = progress?.isStepping === true && progress.steps === lastSteps
      stalled = isSameStep ? stalled + 1 : 0
      lastSteps = progress?.steps ?? -1
    },
    stop: () => cancel(),
  }
}
