import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { openPeriodicTask, type PeriodicTask } from '../base/periodic-task.ts'
import type { Config } from '../config/settings.ts'
import type { AuditRecords } from '../store/audit-contract.ts'

type AuditRetentionDependencies = {
  records: Pick<AuditRecords, 'prune'>
  settings: Pick<Config, 'auditRetentionDays'>
  clock: Clock
  log: Log
}

const dayMs = 24 * 3_600_000
/** Deleting in batches lets other work use the store in between. */
const batchEvents = 1_000

/** Deletes expired audit events at startup and then once a day. */
export const openAuditRetention = (dependencies: AuditRetentionDependencies): PeriodicTask => {
  const { records, settings, clock, log } = dependencies
  const prune = async (isClosed: () => boolean): Promise<void> => {
    const before = clock.now() - settings.auditRetentionDays * dayMs
    try {
      while (!isClosed() && (await records.prune(before, batchEvents)) === batchEvents);
    } catch (error) {
      log.warn('audit_not_pruned', { cause: errorText(error) })
    }
  }
  return openPeriodicTask(prune, clock, dayMs)
}
