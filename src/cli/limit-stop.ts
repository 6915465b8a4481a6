import type { Log } from '../base/log.ts'

/** Longer than everything that is limited takes at the end of the grace period: last responses, entries and writes. */
const lastMs = 8_000

/**
 * Ends the process if it is still there some seconds after the grace period, whatever it waits for. The local disk has what
 * the database has not, and the next start writes it.
 */
export const limitStop = (graceMs: number, log: Pick<Log, 'error'>): void => {
  const timer = setTimeout(() => {
    log.error('stop_overdue', { graceMs, afterMs: graceMs + lastMs })
    process.exit(1)
  }, graceMs + lastMs)
  // If nothing else is left to do, the process ends by itself.
  timer.unref()
}
