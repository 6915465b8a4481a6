/** Chooses the number of threads for the next step. */
export interface ThreadChoice {
  threads(): number
  /** `cpuMs`: CPU time of the whole process during a step that took `tookMs`. */
  observe(step: { tookMs: number; cpuMs: number; nowMs: number }): void
}

/**
 * llama.cpp threads spin while they wait for each other, so on free cores they use all of their CPU time. At about this
 * share, two threads that wait for each other are as fast as one that does not have to.
 */
const leastBusyShare = 0.75
/** Step time observed before a change is judged; twice as much is remembered. Other programs often need a core briefly. */
const judgedAfterMs = 1_500
const firstTrialMs = 5_000
const longestTrialMs = 60_000
/** An earlier trial requires that a core was idle for this share of the time. */
const leastIdleShare = 0.5
const firstIdleTrialMs = 1_000
/** Threads that waited for cores for less than this share of the time they lack were asleep: a small step does not keep all of them busy. */
const leastWaitedShare = 0.5

/**
 * If other programs occupy the cores, every thread waits for the one that is not running, and two threads are several
 * times slower than one. So the loop drops a thread when the threads lack CPU time. It retries as soon as a core is idle,
 * and in any case after a while: less often after each failure, because a core that is idle may not be ours to use.
 * `idleMs`: the time that cores of the machine have been idle so far, all together. `waitedMs`: the time that threads of this
 * process have waited for a core, if that is known.
 */
export const createThreadChoice = (
  max: number,
  idleMs: () => number = () => 0,
  waitedMs: () => number | null = () => null,
): ThreadChoice => {
  let threads = max
  let [observedMs, usedMs] = [0, 0]
  let [trialMs, tryAgainAtMs] = [firstTrialMs, Number.POSITIVE_INFINITY]
  let [idleTrialMs, tryIdleAtMs] = [firstIdleTrialMs, Number.POSITIVE_INFINITY]
  let since = { nowMs: 0, idleMs: 0 }
  /** Since the last decision: the time during steps in which threads did not run, and how long they had waited for cores by then. */
  let lackedMs = 0
  let waitedBeforeMs = waitedMs() ?? 0
  /** Whether other programs used the cores in the meantime. */
  const hasWaited = (): boolean => {
    const waited = waitedMs()
    const isSo = waited === null || waited - waitedBeforeMs >= leastWaitedShare * lackedMs
    waitedBeforeMs = waited ?? 0
    lackedMs = 0
    return isSo
  }
  const change = (to: number): void => {
    threads = to
    observedMs = 0
    usedMs = 0
  }
  /** Since the last time that enough time had passed to tell. */
  const hasIdleCore = (nowMs: number): boolean => {
    const passedMs = nowMs - since.nowMs
    if (passedMs < judgedAfterMs) return false
    const idle = idleMs() - since.idleMs
    since = { nowMs, idleMs: since.idleMs + idle }
    return idle >= leastIdleShare * passedMs
  }
  const drop = (nowMs: number): void => {
    change(threads - 1)
    tryAgainAtMs = nowMs + trialMs
    tryIdleAtMs = nowMs + idleTrialMs
    trialMs = Math.min(longestTrialMs, trialMs * 2)
    idleTrialMs = Math.min(longestTrialMs, idleTrialMs * 2)
    since = { nowMs, idleMs: idleMs() }
  }
  return {
    threads: () => threads,
    observe({ tookMs, cpuMs, nowMs }) {
      observedMs += tookMs
      usedMs += cpuMs / threads
      lackedMs += Math.max(0, threads * tookMs - cpuMs)
      if (observedMs < judgedAfterMs) return
      const isBusy = !hasWaited() || usedMs >= leastBusyShare * observedMs
      if (!isBusy && threads > 1) drop(nowMs)
      else if (isBusy && threads < max && (nowMs >= tryAgainAtMs || (hasIdleCore(nowMs) && nowMs >= tryIdleAtMs))) {
        change(threads + 1)
        tryAgainAtMs = nowMs + trialMs
      } else {
        if (threads === max) [trialMs, idleTrialMs] = [firstTrialMs, firstIdleTrialMs]
        observedMs /= 2
        usedMs /= 2
      }
    },
  }
}
