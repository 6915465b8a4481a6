/** Reports changes of the thread count. */
export interface ThreadReport {
  observe(threads: number, nowMs: number): void
}

/** Under changing load the count may change every few seconds. */
const leastIntervalMs = 60_000

/** Reports the first change immediately, and then the current count at most once a minute, if it differs. */
export const createThreadReport = (configured: number, report: (threads: number) => void): ThreadReport => {
  let reported = configured
  let nextAtMs = Number.NEGATIVE_INFINITY
  return {
    observe(threads, nowMs) {
      if (threads === reported || nowMs < nextAtMs) return
      reported = threads
      nextAtMs = nowMs + leastIntervalMs
      report(threads)
    },
  }
}
