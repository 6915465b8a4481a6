import type { Clock } from './clock.ts'

/** Writes one line per event. Never pass it prompts, answers, keys or cookies. */
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
  /** Final safeguard for every line: removes secrets from paths and messages. */
  hideSecrets: (line: string) => string
}

export const createLog = ({ clock, format, write, hideSecrets }: LogOptions): Log => {
  const render = format === 'json' ? renderJson : renderText
  const emit =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}): void =>
      write(`${escapeRest(hideSecrets(render(new Date(clock.now()), level, event, fields)))}\n`)
  return { info: emit('info'), warn: emit('warn'), error: emit('error') }
}

const renderJson = (time: Date, level: LogLevel, event: string, fields: LogFields): string =>
  // The same text as that of one object with all fields, without copying them into one.
  `{"time":"${time.toISOString()}","level":"${level}","event":${JSON.stringify(event)}${otherFields(fields)}`

const otherFields = (fields: LogFields): string => {
  const json = JSON.stringify(fields)
  return json === '{}' ? json.slice(1) : `,${json.slice(1)}`
}

const renderText = (time: Date, level: LogLevel, event: string, fields: LogFields): string => {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  const pairs = shown.map(([name, value]) => `${name}=${plain(value)}`).join(' ')
  const mark = level === 'info' ? '' : `${level.toUpperCase()} `
  return `${time.toTimeString().slice(0, 8)} ${mark}${event} ${pairs}`.trimEnd()
}

const plain = (value: unknown): string => {
  const text = String(value)
  return /^[\w./:@%+-]+$/.test(text) ? text : JSON.stringify(text)
}

/**
 * Control characters in a value must not start a new line, move the cursor or change the text direction. JSON escapes
 * those in ASCII; this escapes the rest, which occur only inside quotation marks.
 */
const escapeRest = (line: string): string =>
  line.replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** `JSON.parse` errors quote their input, which may be an answer: keep only the stack. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const text = error.stack ?? error.message
  return error instanceof SyntaxError ? text.replace(error.message, '(message hidden)') : text
}
