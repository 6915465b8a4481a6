import type { Clock } from './clock.ts'

export interface PeriodicTask {
  /** Resolves once a running pass has ended. */
  close(): Promise<void>
}

/**
 * Runs `work` immediately, and again `interval` (milliseconds) after each pass ends. A long pass stops early if `isClosed`.
 */
export const openPeriodicTask = (
  work: (isClosed: () => boolean) => Promise<void>,
  clock: Clock,
  interval: number | (() => number),
): PeriodicTask => {
  let closed = false
  let cancelNext = (): void => {}
  const run = async (): Promise<void> => {
    await work(() => closed)
    if (!closed) cancelNext = clock.after(typeof interval === 'number' ? interval : interval(), () => (running = run()))
  }
  let running = run()
  return {
    async close() {
      closed = true
      cancelNext()
      await running
    },
  }
}
