import { systemClock } from '../base/clock.ts'
import { createLineBatch } from '../base/line-batch.ts'
import { createLog, type Log } from '../base/log.ts'
import type { Config } from '../config/settings.ts'
import { hideKeys } from '../keys/hide-keys.ts'

/** Messages for people go to standard output, the log to standard error. */
export const openLog = ({ logFormat }: Pick<Config, 'logFormat'>): Log => {
  const lines = createLineBatch((text) => process.stderr.write(text))
  process.on('exit', lines.flush)
  const readable = logFormat === 'text' || (logFormat === 'auto' && process.stderr.isTTY === true)
  return createLog({
    clock: systemClock,
    format: readable ? 'text' : 'json',
    write: lines.add,
    hideSecrets: hideKeys,
  })
}
