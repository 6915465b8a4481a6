import type { Clock } from './clock.ts'

/** Writes some time after a call to `schedule`, one write at a time, so that callers do not wait. */
export interface DelayedWrite {
  /** Requests a write. */
  schedule(): void
  /** Waits for a running write, then writes once more. */
  close(): Promise<void>
}

export const openDelayedWrite = (write: () => Promise<void>, clock: Clock, delayMs: number): DelayedWrite => {
  let cancel: (() => void) | null = null
  let writing: Promise<void> | null = null
  let isScheduledAgain = false
  let isClosed = false

  const schedule = (): void => {
    if (isClosed) return
    if (writing !== null) isScheduledAgain = true
    else cancel ??= clock.after(delayMs, start)
  }
  const start = (): void => {
    cancel = null
    writing = write().finally(() => {
      writing = null
      if (!isScheduledAgain) return
      isScheduledAgain = false
      schedule()
    })
  }
  return {
    schedule,
    async close() {
      isClosed = true
      cancel?.()
      await writing
      await write()
    },
  }
}
