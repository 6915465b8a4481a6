import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import type { BodyRecords } from '../store/body-contract.ts'
import type { LedgerRecords } from '../store/ledger-contract.ts'
import type { RequestLogRecords } from '../store/request-log-contract.ts'

type PruneOptions = {
  records: Pick<LedgerRecords, 'prune' | 'pruneCheckpoints'>
  requestLog: Pick<RequestLogRecords, 'prune'>
  bodies: Pick<BodyRecords, 'removeExpired'>
  clock: Clock
  log: Log
  ledgerRetentionDays: number
}

export interface Pruning {
  /** Resolves once a pass that runs has stopped. */
  close(): Promise<void>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** So few that no request waits for it noticeably. */
const removedAtOnce = 200

/** Removes at the start and every hour what had its time in the ledger, and beside it. Totals stay. */
export const pruneHourly = ({
  records,
  requestLog,
  bodies,
  clock,
  log,
  ledgerRetentionDays,
}: PruneOptions): Pruning => {
  let closed = false
  let cancelNext = (): void => {}

  const repeat = async (remove: () => Promise<number>): Promise<number> => {
    let sum = 0
    for (;;) {
      const removed = closed ? 0 : await remove()
      sum += removed
      if (removed < removedAtOnce) return sum
    }
  }

  const pass = async (): Promise<void> => {
    const now = clock.now()
    try {
      const checkpoints = await repeat(() => records.pruneCheckpoints(now - dayMs, removedAtOnce))
      const before = now - ledgerRetentionDays * dayMs
      const requests = await repeat(() => records.prune(before, removedAtOnce))
      const refusals = await repeat(() => requestLog.prune(before, removedAtOnce))
      while (!closed && (await bodies.removeExpired(now)) > 0);
      if (checkpoints + requests + refusals > 0) log.info('ledger_pruned', { notes: checkpoints, requests, refusals })
    } catch (error) {
      log.error('ledger_not_pruned', { cause: errorText(error) })
    }
    if (!closed) cancelNext = clock.after(hourMs, start)
  }

  let running = Promise.resolve()
  const start = (): void => {
    running = pass()
  }
  start()
  return {
    async close() {
      closed = true
      cancelNext()
      await running
    },
  }
}
