import type { Clock } from './clock.ts'
import { type LogFields, type LogLevel, logLevels } from './log-fields.ts'
import { createRepeats } from './log-repeats.ts'

export type { LogFields } from './log-fields.ts'

type LogFormat = 'json' | 'text'

/** Writes one line per event. Never pass it prompts, answers, keys or cookies. */
export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

export interface KeptLog extends Log {
  /** The last warnings and errors as JSON lines, for a support bundle. */
  recentProblems(): readonly string[]
  /** Writes the counts of lines that were left out so far. */
  flush(): void
}

type LogOptions = {
  clock: Clock
  format: LogFormat
  /** The least level that is written; by default all are. */
  level?: LogLevel
  write: (line: string) => void
  /** Final safeguard for every line: removes secrets from paths and messages. */
  hideSecrets: (line: string) => string
}

/** So many warnings and errors, and so much of each, are kept. */
const keptProblems = 200
const keptChars = 4_000

export const createLog = ({ clock, format, level: least = 'info', write, hideSecrets }: LogOptions): KeptLog => {
  const problems: string[] = []
  const render = format === 'json' ? renderJson : renderText
  const finish = (line: string): string => escapeRest(hideSecrets(line))
  const put = (level: LogLevel, event: string, fields: LogFields): void => {
    const time = new Date(clock.now())
    write(`${finish(render(time, level, event, fields))}\n`)
    if (level === 'info') return
    problems.push(`${finish(renderJson(time, level, event, fields)).slice(0, keptChars)}\n`)
    if (problems.length > keptProblems) problems.shift()
  }
  const repeats = createRepeats(clock, put)
  const emit = (level: LogLevel) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least)) return () => {}
    return (event: string, fields: LogFields = {}): void => {
      // Every request can be found in the log by its id.
      if ('requestId' in fields || repeats.admits(level, event, fields)) put(level, event, fields)
    }
  }
  return {
    ...{ info: emit('info'), warn: emit('warn'), error: emit('error') },
    recentProblems: () => problems,
    flush: repeats.flush,
  }
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
  // Nearly no line has any: looking for them takes half the time of replacing nothing.
  hasUnescaped.test(line)
    ? line.replace(unescaped, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : line

const hasUnescaped = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/
const unescaped = new RegExp(hasUnescaped, 'g')

/** `JSON.parse` errors quote their input, which may be an answer: keep only the stack. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const text = error.stack ?? error.message
  return error instanceof SyntaxError ? text.replace(error.message, '(message hidden)') : text
}
