import { errorMessage } from '../base/caught-error.ts'
import type { Log } from '../base/log.ts'

type Written = 'checkpoints' | 'settlements' | 'refusals' | 'bodies' | 'spool'

/** Logs once that the ledger cannot be written, and once that it can be written again. */
export const createWriteWatch = (log: Log) => {
  const failing = new Set<string>()
  return {
    failed(what: Written, error: unknown): void {
      if (failing.has(what)) return
      failing.add(what)
      log.error('ledger_write_failed', { what, cause: errorMessage(error) })
    },
    succeeded(what: Written): void {
      if (failing.delete(what)) log.info('ledger_write_recovered', { what })
    },
  }
}

export type WriteWatch = ReturnType<typeof createWriteWatch>
