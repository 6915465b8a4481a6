import type { Language } from '../../../../src/site-server/pages.ts'

/** Days of the server's calendar are no moments: they are written without moving them into the reader's zone. */
const format = (day: string, language: Language, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language === 'ja' ? 'ja-JP' : 'en-GB', { ...options, timeZone: 'UTC' }).format(
    Date.parse(day),
  )

/** "Tue 10 Nov", "11月10日（火）" */
export const dayWords = (day: string, language: Language): string => {
  if (language === 'en') return format(day, language, { weekday: 'short', day: 'numeric', month: 'short' })
  return `${format(day, language, { month: 'long', day: 'numeric' })}（${format(day, language, { weekday: 'short' })}）`
}

/** "10/11", "11/10": short, for an axis. */
export const dayMark = (day: string, language: Language): string =>
  format(day, language, language === 'ja' ? { month: 'numeric', day: 'numeric' } : { day: 'numeric', month: 'short' })
