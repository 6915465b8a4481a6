import type { Clock } from '../../base/clock.ts'
import { createLineBatch } from '../../base/line-batch.ts'
import { createLog, type Log, type LogFields } from '../../base/log.ts'
import type { LogLevel } from '../../base/log-fields.ts'
import { hideKeys } from '../../keys/hide-keys.ts'
import type { AuthorityPort } from './authority-port.ts'
import type { WorkerData } from './worker-data.ts'

/** The authority says this of all upstreams. */
const saidByAuthority = new Set(['upstream_models_taken'])

/** Writing them is the authority's work, which the writes of each turn would double. */
const collectMs = 20

/**
 * The log of a worker. Lines about requests are formatted here and only written by the authority, which keeps warnings and
 * errors for support bundles.
 */
export const createWorkerLog = (
  port: () => AuthorityPort,
  lines: WorkerData['lines'],
  clock: Clock,
): Log & { flush(): void } => {
  const note =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}): void => {
      if (!saidByAuthority.has(event)) port().note('logged', { level, event, fields })
    }
  const encoder = new TextEncoder()
  const batch = createLineBatch(
    (text) => port().note('lines', encoder.encode(text)),
    (flush) => clock.after(collectMs, flush),
  )
  const formatted = lines === null ? null : createLog({ clock, ...lines, write: batch.add, hideSecrets: hideKeys })
  return {
    info: formatted?.info ?? note('info'),
    warn: note('warn'),
    error: note('error'),
    flush() {
      formatted?.flush()
      batch.flush()
    },
  }
}
