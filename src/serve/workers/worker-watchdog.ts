import type { Clock } from '../../base/clock.ts'
import type { SharedTicks } from './shared-ticks.ts'
import { isHung, lookAtTicks, lookMs, noSilence, type WorkerSilence } from './worker-silence.ts'

/** Detects workers that exist but do nothing, because their event loops hang. One timer for all of them. */
export interface WorkerWatchdog {
  /** A worker starts. `onHung` is called at most once. The returned function ends the watch: the worker has ended. */
  watch(ticks: Pick<SharedTicks, 'current'>, onHung: (silentMs: number) => void): () => void
  close(): void
}

type Watched = {
  ticks: Pick<SharedTicks, 'current'>
  silence: WorkerSilence
  onHung(silentMs: number): void
}

export const createWorkerWatchdog = (clock: Clock): WorkerWatchdog => {
  const watched = new Set<Watched>()
  let lookedMs = clock.monotonicMs()
  let isClosed = false
  let cancel = (): void => {}

  const look = (): void => {
    const nowMs = clock.monotonicMs()
    const passedMs = nowMs - lookedMs
    lookedMs = nowMs
    for (const one of watched) {
      one.silence = lookAtTicks(one.silence, one.ticks.current(), passedMs)
      if (!isHung(one.silence)) continue
      watched.delete(one)
      one.onHung(one.silence.silentMs)
    }
    // In a turn of its own, so that there is one look however far the clock has gone.
    setImmediate(arm)
  }
  const arm = (): void => {
    if (!isClosed) cancel = clock.after(lookMs, look)
  }
  arm()
  return {
    watch(ticks, onHung) {
      const one = { ticks, onHung, silence: noSilence }
      watched.add(one)
      return () => void watched.delete(one)
    },
    close() {
      isClosed = true
      cancel()
    },
  }
}
