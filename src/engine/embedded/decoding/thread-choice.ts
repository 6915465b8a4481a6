/** How many threads the next step uses. */
export interface ThreadChoice {
  threads(): number
  /** `cpuMs`: the processor time of the whole process during a step that took `tookMs`. */
  observe(step: { tookMs: number; cpuMs: number; nowMs: number }): void
}

/** Threads of llama.cpp spin while they wait for each other, so that where the cores are free they use all of their time. */
const leastBusyShare = 0.8
/** So much time of steps is looked at before a change is judged, and twice as much is remembered. */
const judgedAfterMs = 400
const firstTrialMs = 5_000
const longestTrialMs = 60_000

/**
 * Where other programs take the cores, each thread waits for the one that is not running, and two threads are several times
 * slower than one. So a thread is given up when the threads do not get their time, and tried again later: less often each time
 * that it fails.
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
