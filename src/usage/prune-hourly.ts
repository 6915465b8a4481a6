import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { openPeriodicTask, type PeriodicTask } from '../base/periodic-task.ts'
import type { Config } from '../config/settings.ts'
import type { BodyRecords } from '../store/body-contract.ts'
import type { ConversationRecords } from '../store/conversation-contract.ts'
import type { LedgerRecords } from '../store/ledger-contract.ts'
import type { PlaygroundRecords } from '../store/playground-contract.ts'
import type { RequestLogRecords } from '../store/request-log-contract.ts'

type PruneDependencies = {
  records: Pick<LedgerRecords, 'prune' | 'pruneCheckpoints'>
  requestLog: Pick<RequestLogRecords, 'prune'>
  bodies: Pick<BodyRecords, 'removeExpired'>
  playground: Pick<PlaygroundRecords, 'prunePrompts'>
  conversations: Pick<ConversationRecords, 'pruneConversations'>
  clock: Clock
  log: Log
  settings: Pick<Config, 'ledgerRetentionDays'>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Few enough that no request waits noticeably. */
const batchRows = 200

/** Deletes expired requests, checkpoints, refusals, bodies, conversations and removed prompts at startup and then hourly. Totals are kept. */
export const pruneHourly = (dependencies: PruneDependencies): PeriodicTask => {
  const { records, requestLog, bodies, playground, conversations, clock, log, settings } = dependencies

  const pass = async (isClosed: () => boolean): Promise<void> => {
    const inBatches = async (remove: () => Promise<number>): Promise<number> => {
      let sum = 0
      for (;;) {
        const removed = isClosed() ? 0 : await remove()
        sum += removed
        if (removed < batchRows) return sum
      }
    }
    const now = clock.now()
    const before = now - settings.ledgerRetentionDays * dayMs
    try {
      const checkpoints = await inBatches(() => records.pruneCheckpoints(now - dayMs, batchRows))
      const requests = await inBatches(() => records.prune(before, batchRows))
      const refusals = await inBatches(() => requestLog.prune(before, batchRows))
      // A prompt that was removed can be restored for a day.
      await inBatches(() => playground.prunePrompts(now - dayMs, batchRows))
      await inBatches(() => conversations.pruneConversations(now, batchRows))
      while (!isClosed() && (await bodies.removeExpired(now)) > 0);
      if (checkpoints + requests + refusals > 0) log.info('ledger_pruned', { notes: checkpoints, requests, refusals })
    } catch (error) {
      log.error('ledger_not_pruned', { cause: errorText(error) })
    }
  }
  return openPeriodicTask(pass, clock, hourMs)
}
