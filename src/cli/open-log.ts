import { createBoundedOutput, type OutputStream } from '../base/bounded-output.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { createLineBatch } from '../base/line-batch.ts'
import { createLog, type KeptLog } from '../base/log.ts'
import type { LogLevel } from '../base/log-fields.ts'
import type { Config } from '../config/settings.ts'
import { hideKeys } from '../keys/hide-keys.ts'

/** What a stalled reader of the log may leave unread. */
const unreadLimitBytes = 4_194_304

type LogTarget = { output: OutputStream & { isTTY?: boolean }; clock: Clock }

/** Messages for people go to standard output, the log to standard error. */
export const openLog = (
  { logFormat, logLevel }: Pick<Config, 'logFormat' | 'logLevel'>,
  { output, clock }: LogTarget = { output: process.stderr, clock: systemClock },
): KeptLog & { lines: { format: 'json' | 'text'; level: LogLevel; write(text: Uint8Array): void } } => {
  const write = createBoundedOutput(output, {
    limitBytes: unreadLimitBytes,
    onDropped: (lines) => log.warn('log_lines_dropped', { lines }),
  })
  const lines = createLineBatch(write)
  const readable = logFormat === 'text' || (logFormat === 'auto' && output.isTTY === true)
  const format = readable ? 'text' : 'json'
  const log = createLog({
    clock,
    format,
    level: logLevel,
    write: lines.add,
    hideSecrets: hideKeys,
  })
  process.on('exit', () => {
    log.flush()
    lines.flush()
  })
  // Of other threads, which have formatted them.
  return { ...log, lines: { format, level: logLevel, write } }
}
