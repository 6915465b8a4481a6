import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import type { AuditRecords } from '../store/audit-contract.ts'

type RetentionOptions = {
  records: Pick<AuditRecords, 'prune'>
  auditRetentionDays: number
  clock: Clock
  log: Log
}

const dayMs = 24 * 3_600_000
/** Deleting in batches lets other work use the store in between. */
const batchEvents = 1_000

/** Deletes expired audit events at startup and then once a day. */
export const startAuditRetention = (options: RetentionOptions): { close(): Promise<void> } => {
  const { records, auditRetentionDays, clock, log } = options
  let isClosed = false
  let cancel = (): void => {}
  const prune = async (): Promise<void> => {
    const before = clock.now() - auditRetentionDays * dayMs
    try {
      while (!isClosed && (await records.prune(before, batchEvents)) === batchEvents);
    } catch (error) {
      log.warn('audit_not_pruned', { cause: errorText(error) })
    }
  }
  const run = async (): Promise<void> => {
    await prune()
    if (!isClosed) cancel = clock.after(dayMs, () => (running = run()))
  }
  let running = run()
  return {
    async close() {
      isClosed = true
      cancel()
      await running
    },
  }
}
