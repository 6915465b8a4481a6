import type { Clock } from '../base/clock.ts'

/** Writes a moment after somebody asked for it, however often they do: one write at a time, off everybody's path. */
export interface LaterWrite {
  /** There is something to write. */
  ask(): void
  /** Writes what is left, one last time. */
  close(): Promise<void>
}

export const createLaterWrite = (write: () => Promise<void>, clock: Clock, delayMs: number): LaterWrite => {
  let cancel: (() => void) | null = null
  let writing: Promise<void> | null = null
  let isAskedAgain = false
  let isClosed = false

  const ask = (): void => {
    if (isClosed) return
    if (writing !== null) isAskedAgain = true
    else cancel ??= clock.after(delayMs, start)
  }
  const start = (): void => {
    cancel = null
    writing = write().finally(() => {
      writing = null
      if (!isAskedAgain) return
      isAskedAgain = false
      ask()
    })
  }
  return {
    ask,
    async close() {
      isClosed = true
      cancel?.()
      await writing
      await write()
    },
  }
}
