import type { Clock } from '../../base/clock.ts'
import type { StepProgress } from './step-progress.ts'

/**
 * Detects an engine process that exists but does nothing, because it was stopped or is blocked. It pings at regular
 * intervals and counts unanswered pings instead of measuring time, so a delay of the server itself is not mistaken for
 * a hang of the process.
 */
export interface Watchdog {
  /** A new process has started. It gets more time while it loads. */
  start(): void
  /** The model is loaded. */
  loaded(): void
  /** The process answered a ping. */
  answered(progress: StepProgress | null): void
  /** The process has exited. */
  stop(): void
}

export type Hang =
  /** Its event loop does not answer. llama.cpp runs on other threads, so a long prompt does not block it. */
  | { reason: 'silent'; silentMs: number }
  /** It answers, but the current step has run too long. */
  | { reason: 'step_stalled'; stalledMs: number }

type WatchdogOptions = {
  /** Maximum time without an answer before the process counts as hung. */
  silenceLimitMs: number
  clock: Clock
  ask(): void
  onHung(hang: Hang): void
}

const questionsInLimit = 7
/** Startup reads a vocabulary and much code, possibly from a slow disk. */
const loadingTimes = 5
/**
 * A step contains at most 512 tokens. This is four minutes more than the slowest usable machine needs for it, and half
 * of the maximum duration of an answer.
 */
const stepLimitMs = 300_000

export const createWatchdog = ({ silenceLimitMs, clock, ask, onHung }: WatchdogOptions): Watchdog => {
  const everyMs = Math.ceil(silenceLimitMs / questionsInLimit)
  const max = { loading: loadingTimes * questionsInLimit - 1, loaded: questionsInLimit - 1 }
  const maxStalled = Math.ceil(stepLimitMs / everyMs)
  let phase: keyof typeof max = 'loading'
  let isAnswered = true
  let unanswered = 0
  let lastSteps = -1
  let stalled = 0
  let cancel = (): void => {}

  const hangNow = (): Hang | null => {
    if (unanswered >= max[phase]) return { reason: 'silent', silentMs: unanswered * everyMs }
    return stalled >= maxStalled ? { reason: 'step_stalled', stalledMs: stalled * everyMs } : null
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
