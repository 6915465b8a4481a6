import type { Clock } from './clock.ts'
import type { LogFields, LogLevel } from './log-fields.ts'

/**
 * Leaves out lines that repeat: of one kind, the first few in a while are written, and then one more with the number of those
 * that were left out.
 */
export interface Repeats {
  /** Whether the line is to be written now. */
  admits(level: LogLevel, event: string, fields: LogFields): boolean
  /** Writes the counts of what was left out so far. */
  flush(): void
}

const windowMs = 10_000
const writtenLines = 10
/** More kinds than this at once are no repetitions. */
const maxKinds = 500

type Kind = { startedMs: number; lines: number; leftOut: number; flush(): void; cancel(): void }

/** `write` gets the last line of those that were left out, with their number as `repeated`. */
export const createRepeats = (
  clock: Clock,
  write: (level: LogLevel, event: string, fields: LogFields) => void,
): Repeats => {
  const kinds = new Map<string, Kind>()
  const flush = (): void => {
    for (const kind of kinds.values()) kind.flush()
    kinds.clear()
  }
  const begin = (name: string): Kind => {
    if (kinds.size >= maxKinds) flush()
    const kind = { startedMs: clock.monotonicMs(), lines: 0, leftOut: 0, flush: () => {}, cancel: () => {} }
    kinds.set(name, kind)
    return kind
  }
  return {
    admits(level, event, fields) {
      const name = kindOf(level, event, fields)
      const known = kinds.get(name)
      const isOver = known !== undefined && clock.monotonicMs() - known.startedMs >= windowMs
      if (isOver) known.flush()
      const kind = known === undefined || isOver ? begin(name) : known
      kind.lines += 1
      if (kind.lines <= writtenLines) return true
      kind.leftOut += 1
      kind.flush = () => {
        kind.cancel()
        kinds.delete(name)
        write(level, event, { ...fields, repeated: kind.leftOut })
      }
      if (kind.leftOut === 1) {
        const leftMs = windowMs - (clock.monotonicMs() - kind.startedMs)
        kind.cancel = clock.after(Math.max(0, leftMs), () => kind.flush())
      }
      return false
    },
    flush,
  }
}

/** Figures differ from line to line; words are what a line says. */
const kindOf = (level: LogLevel, event: string, fields: LogFields): string => {
  let name = `${level} ${event}`
  for (const field in fields) if (typeof fields[field] !== 'number') name += ` ${field}=${fields[field]}`
  return name
}
