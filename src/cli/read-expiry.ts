import { dayOf, nextDayAt } from '../base/calendar.ts'
import { readDayText } from '../base/day-text.ts'
import { UsageError } from './command.ts'

const halfDayMs = 43_200_000

/** Parses a key's expiry: a duration, the end of a day in the service's time zone, or a timestamp. */
export const readExpiry = (text: string, now: number, timeZone: string): number => {
  const durationMs = readDuration(text)
  if (durationMs !== null && durationMs > 0) return now + durationMs
  const day = readDayText(text)
  if (day !== null) return dayEnd(day, text, timeZone)
  const moment = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(moment)) return moment
  throw new UsageError(
    '--expires must be a date (2026-12-31), a timestamp (2026-12-31T18:00:00Z) or a duration from now (30d, 12h)',
  )
}

/** Noon UTC falls on another day in some zones; in those, twelve hours before or after it falls on the right day. */
const dayEnd = (day: number, text: string, timeZone: string): number => {
  const noon = Date.parse(`${text}T12:00:00Z`)
  const within = [noon, noon - halfDayMs, noon + halfDayMs].find((at) => dayOf(at, timeZone) === day)
  if (within === undefined)
    throw new UsageError(`--expires: the date ${text} does not exist in the time zone ${timeZone}`)
  // The last millisecond of the day, so that the key shows this date.
  return nextDayAt(within, timeZone) - 1
}

const unitsMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `30d`, `24h`, `90m`, `45s`, `2w`, or 0. Null for anything else. */
export const readDuration = (text: string): number | null => {
  if (text === '0') return 0
  const [, count, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  const unitMs = unitsMs[unit]
  return count === undefined || unitMs === undefined ? null : Number(count) * unitMs
}
