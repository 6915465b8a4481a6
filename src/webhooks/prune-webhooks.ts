import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { openPeriodicTask, type PeriodicTask } from '../base/periodic-task.ts'
import type { Config } from '../config/settings.ts'
import type { WebhookRecords } from '../store/webhook-contract.ts'

type PruneDependencies = {
  prune: WebhookRecords['prune']
  settings: Pick<Config, 'webhookRetentionDays'>
  clock: Clock
  log: Log
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const batch = 500
/** Somebody who returns after so long is new there. */
const placeDays = 180

/** Deletes expired events with their deliveries, at startup and then hourly. */
export const pruneWebhooks = ({ prune, settings, clock, log }: PruneDependencies): PeriodicTask =>
  openPeriodicTask(
    async (isClosed) => {
      const now = clock.now()
      const before = {
        events: now - settings.webhookRetentionDays * dayMs,
        occurrences: now,
        places: now - placeDays * dayMs,
      }
      try {
        while (!isClosed() && (await prune(before, batch)) > 0);
      } catch (error) {
        log.warn('webhook_prune_failed', { cause: errorText(error) })
      }
    },
    clock,
    hourMs,
  )
