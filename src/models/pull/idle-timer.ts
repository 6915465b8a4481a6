import type { Clock } from '../../base/clock.ts'

/** A server that sends nothing for this long is given up. */
const idleLimitMs = 60_000

export type IdleTimer = {
  /** Aborted after a minute without `restart`, or by the signal. */
  readonly signal: AbortSignal
  hasExpired(): boolean
  restart(): void
  stop(): void
}

export const createIdleTimer = (clock: Clock, signal: AbortSignal): IdleTimer => {
  const expired = new AbortController()
  let cancel = clock.after(idleLimitMs, () => expired.abort())
  return {
    signal: AbortSignal.any([signal, expired.signal]),
    hasExpired: () => expired.signal.aborted,
    restart() {
      cancel()
      cancel = clock.after(idleLimitMs, () => expired.abort())
    },
    stop: () => cancel(),
  }
}
