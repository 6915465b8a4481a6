import type { LogLevel } from '../../base/log-fields.ts'
import type { Config } from '../../config/settings.ts'
import type { SharedMemory } from './shared-memory.ts'

/** What a worker is started with. */
export type WorkerData = {
  config: Config
  /** Which of the workers it is. */
  index: number
  /** What all of them use is counted there. */
  memory: SharedMemory
  /** Where requests are passed on to. */
  socketPath: string
  counts: SharedArrayBuffer
  epoch: SharedArrayBuffer
  /** Where it counts the ticks of its event loop. */
  ticks: SharedArrayBuffer
  /** Where it notes its memory and delays. */
  figures: SharedArrayBuffer
  /** Where it counts its spans. */
  spans: SharedArrayBuffer
  /** How lines of the log are written; null: the authority writes them. */
  lines: { format: 'json' | 'text'; level: LogLevel } | null
}
