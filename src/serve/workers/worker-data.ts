import type { LogLevel } from '../../base/log-fields.ts'
import type { Config } from '../../config/settings.ts'

/** What a worker is started with. */
export type WorkerData = {
  config: Config
  /** How many there are: they share the memory for bodies and answers. */
  count: number
  /** Where requests are passed on to. */
  socketPath: string
  counts: SharedArrayBuffer
  epoch: SharedArrayBuffer
  /** How lines of the log are written; null: the authority writes them. */
  lines: { format: 'json' | 'text'; level: LogLevel } | null
}
