import type { Language } from '../../../../languages/language.ts'

/** Days of the server's calendar are no moments: they are written without moving them into the reader's zone. */
const format = (day: string, language: Language, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language.locale, { ...options, timeZone: 'UTC' }).format(Date.parse(day))

/** "Tue 10 Nov", "11月10日（火）" */
export const dayWords = (day: string, language: Language): string => {
  const { month, withWeekday } = language.dates
  if (withWeekday === undefined) return format(day, language, { weekday: 'short', day: 'numeric', month })
  return withWeekday(format(day, language, { month, day: 'numeric' }), format(day, language, { weekday: 'short' }))
}

/** "10 Nov 2025", "2025年11月10日" */
export const dateWords = (day: string, language: Language): string =>
  format(day, language, { day: 'numeric', month: language.dates.month, year: 'numeric' })

/** "10/11", "11/10": short, for an axis. */
export const dayMark = (day: string, language: Language): string => format(day, language, language.dates.axisDay)
