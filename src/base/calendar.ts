import { dayText } from './day-text.ts'

/**
 * Days and months of a time zone. A day is a number such as 20261115, a month 202611. Their ends are found by search,
 * not arithmetic: a day has 23 or 25 hours when clocks change, and midnight does not always exist.
 */
export const dayOf = (now: number, timeZone: string): number => {
  const seen = lastDays.get(timeZone)
  if (seen !== undefined && now >= seen.from && now < seen.until) return seen.day
  const day = readDay(now, timeZone)
  lastDays.set(timeZone, { day, from: now, until: findEnd(now, longestDayMs, (at) => readDay(at, timeZone) > day) })
  return day
}

export const monthOf = (day: number): number => Math.floor(day / 100)

/** Start of the next day, in milliseconds since 1970. */
export const nextDayAt = (now: number, timeZone: string): number => {
  const day = dayOf(now, timeZone)
  return lastDays.get(timeZone)?.until ?? findEnd(now, longestDayMs, (at) => readDay(at, timeZone) > day)
}

/** Start of the next month, in milliseconds since 1970. */
export const nextMonthAt = (now: number, timeZone: string): number => {
  const month = monthOf(dayOf(now, timeZone))
  return findEnd(now, longestMonthMs, (at) => monthOf(readDay(at, timeZone)) > month)
}

/**
 * Start of a day such as 20261115, in milliseconds since 1970; of a day that the zone skipped, the start of
 * the next. A right `guess` saves the search.
 */
export const dayStartAt = (day: number, timeZone: string, guess?: number): number => {
  if (guess !== undefined && readDay(guess, timeZone) === day && readDay(guess - 1, timeZone) < day) return guess
  const noon = Date.parse(`${dayText(day)}T12:00:00Z`)
  // No zone is more than 14 hours ahead of UTC, or more than 12 behind.
  return findEnd(noon - 28 * hourMs, 56 * hourMs, (at) => readDay(at, timeZone) >= day)
}

/** The name of a time zone as `Intl` spells it, or null. Offsets such as `+01:37` are no names. */
export const readTimeZone = (name: string): string | null => {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+){0,2}$/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

const hourMs = 3_600_000
/** A zone can move across the date line, which skips a day. */
const longestDayMs = 50 * hourMs
const longestMonthMs = 33 * 24 * hourMs

/** The last day looked up in each zone, with its known range: a formatter is too slow for every request. */
const lastDays = new Map<string, { day: number; from: number; until: number }>()
const formatters = new Map<string, Intl.DateTimeFormat>()

const findFormatter = (timeZone: string): Intl.DateTimeFormat => {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const numeric = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const made = new Intl.DateTimeFormat('en-US', { calendar: 'gregory', numberingSystem: 'latn', timeZone, ...numeric })
  formatters.set(timeZone, made)
  return made
}

const readDay = (now: number, timeZone: string): number => {
  // 11/15/2026
  const [month = '', day = '', year = ''] = findFormatter(timeZone).format(now).split('/')
  return Number(year) * 10_000 + Number(month) * 100 + Number(day)
}

/** Finds the first millisecond after `now` that is beyond; there must be one within `maxMs`. */
const findEnd = (now: number, maxMs: number, isBeyond: (at: number) => boolean): number => {
  let inside = Math.floor(now)
  let beyond = inside + maxMs
  while (beyond - inside > 1) {
    const middle = Math.floor((inside + beyond) / 2)
    if (isBeyond(middle)) beyond = middle
    else inside = middle
  }
  return beyond
}
