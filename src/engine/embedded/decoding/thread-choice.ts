/** Chooses the number of threads for the next step. */
export interface ThreadChoice {
  threads(): number
  /** `cpuMs`: CPU time of the whole process during a step that took `tookMs`. */
  observe(step: { tookMs: number; cpuMs: number; nowMs: number }): void
}

/** llama.cpp threads spin while they wait for each other, so on free cores they use all of their CPU time. */
const leastBusyShare = 0.8
/** Step time observed before a change is judged; twice as much is remembered. */
const judgedAfterMs = 400
const firstTrialMs = 5_000
const longestTrialMs = 60_000

/**
 * If other programs occupy the cores, every thread waits for the one that is not running, and two threads are several
 * times slower than one. So the loop drops a thread when the threads lack CPU time and retries it later, less often
 * after each failure.
 */
export const createThreadChoice = (most: number): ThreadChoice => {
  let threads = most
  let [observedMs, usedMs] = [0, 0]
  let [trialMs, tryAgainAtMs] = [firstTrialMs, Number.POSITIVE_INFINITY]
  const change = (to: number): void => {
    threads = to
    observedMs = 0
    usedMs = 0
  }
  return {
    threads: () => threads,
    observe({ tookMs, cpuMs, nowMs }) {
      observedMs += tookMs
      usedMs += cpuMs / threads
      if (observedMs < judgedAfterMs) return
      const isBusy = usedMs >= leastBusyShare * observedMs
      if (!isBusy && threads > 1) {
        change(threads - 1)
        tryAgainAtMs = nowMs + trialMs
        trialMs = Math.min(longestTrialMs, trialMs * 2)
      } else if (isBusy && threads < most && nowMs >= tryAgainAtMs) {
        change(threads + 1)
        tryAgainAtMs = nowMs + trialMs
      } else {
        if (threads === most) trialMs = firstTrialMs
        observedMs /= 2
        usedMs /= 2
      }
    },
  }
}
