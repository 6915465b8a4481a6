import type { Clock } from './clock.ts'

/** One event, one line. Prompts, answers, keys and cookies are never handed to it. */
export type LogFields = Record<string, string | number | boolean | null | undefined>
type LogLevel = 'info' | 'warn' | 'error'
type LogFormat = 'json' | 'text'

export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

type LogOptions = {
  clock: Clock
  format: LogFormat
  write: (line: string) => void
  /** A last net under every line: takes secrets out that somebody put into a path or a message. */
  hideSecrets: (line: string) => string
}

export const createLog = ({ clock, format, write, hideSecrets }: LogOptions): Log => {
  const render = format === 'json' ? renderJson : renderText
  const emit =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}): void =>
      write(hideSecrets(render(new Date(clock.now()), level, event, fields)))
  return { info: emit('info'), warn: emit('warn'), error: emit('error') }
}

const renderJson = (time: Date, level: LogLevel, event: string, fields: LogFields): string =>
  `${JSON.stringify({ time: time.toISOString(), level, event, ...fields })}\n`

const renderText = (time: Date, level: LogLevel, event: string, fields: LogFields): string => {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  const pairs = shown.map(([name, value]) => `${name}=${plain(value)}`).join(' ')
  const mark = level === 'info' ? '' : `${level.toUpperCase()} `
  return `${time.toTimeString().slice(0, 8)} ${mark}${event} ${pairs}`.trimEnd().concat('\n')
}

/** Control characters in a value must not be able to write a second line or move the cursor. */
const plain = (value: unknown): string => {
  const text = String(value)
  return /^[\w./:@%+-]+$/.test(text) ? text : JSON.stringify(text)
}

export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
