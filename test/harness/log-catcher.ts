import { EventEmitter } from 'node:events'
import type { Clock } from '../../src/base/clock.ts'
import { createLog, type KeptLog, type LogFields } from '../../src/base/log.ts'
import { hideKeys } from '../../src/keys/hide-keys.ts'

export type LogEvent = LogFields & { event: string; level: string }

/** A real log that keeps its lines and lets tests wait for them. */
export const createLogCatcher = (options: { clock: Clock; format: 'json' | 'text' }) => {
  const lines: string[] = []
  const arrivals = new EventEmitter()
  const write = (line: string): void => {
    lines.push(line)
    arrivals.emit('line')
  }
  const log: KeptLog = createLog({ ...options, write, hideSecrets: hideKeys })
  const find = (wanted: Partial<LogEvent>): LogEvent | undefined =>
    lines
      .map((line): LogEvent => JSON.parse(line))
      .find((event) => Object.entries(wanted).every(([name, value]) => event[name] === value))
  /** Resolves to the first event with these fields. Only for JSON logs. */
  const logged = (wanted: Partial<LogEvent>): Promise<LogEvent> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = find(wanted)
        if (found === undefined) return
        arrivals.off('line', look)
        resolve(found)
      }
      arrivals.on('line', look)
      look()
    })
  return { log, lines, logged }
}
