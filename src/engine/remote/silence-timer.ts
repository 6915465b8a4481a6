import type { Clock } from '../../base/clock.ts'

/** Undici's own timers fire up to a second late. This matters for limits below this one, which are timed here instead. */
const exactBelowMs = 10_000
export const isKeptExactly = (limitMs: number): boolean => limitMs > 0 && limitMs < exactBelowMs

/** Notices that nothing has happened for a time. */
export interface SilenceTimer {
  /** Starts a limit now; it replaces an earlier one. */
  start(limitMs: number): void
  /** Something has happened. */
  touch(): void
  stop(): void
}

/** Starts one timer for each limit, not for each event. */
export const createSilenceTimer = (clock: Clock, onSilent: (limitMs: number) => void): SilenceTimer => {
  let limitMs = 0
  let touchedMs = 0
  let round = 0
  let cancel = (): void => {}

  const arm = (delayMs: number): void => {
    const own = round
    cancel = clock.after(delayMs, () => {
      // What arrived while this thread was busy is read first.
      setImmediate(() => {
        if (own !== round) return
        const leftMs = touchedMs + limitMs - clock.monotonicMs()
        if (leftMs > 0) return arm(leftMs)
        stop()
        onSilent(limitMs)
      })
    })
  }
  const stop = (): void => {
    round += 1
    cancel()
    cancel = () => {}
  }
  return {
    start(newLimitMs) {
      stop()
      limitMs = newLimitMs
      touchedMs = clock.monotonicMs()
      arm(limitMs)
    },
    touch() {
      touchedMs = clock.monotonicMs()
    },
    stop,
  }
}
