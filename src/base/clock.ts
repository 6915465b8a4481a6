/** Time source. It is injected, so that tests control time and never sleep. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that never go backwards, for durations. */
  monotonicMs(): number
  /** Calls back once after `delayMs`; the returned function cancels. */
  after(delayMs: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}
