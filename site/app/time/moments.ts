import type { Language } from '../../../languages/language.ts'

/** Days between two moments by the reader's calendar: 0 is the same day. */
export const daysUntil = (ms: number, now: number): number =>
  Math.round((startOfDay(ms) - startOfDay(now)) / 86_400_000)

const startOfDay = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0)

/** "2 Sep", with the year where it is another one. */
export const dayText = (ms: number, now: number, language: Language): string => {
  const sameYear = new Date(ms).getFullYear() === new Date(now).getFullYear()
  const options = { day: 'numeric', month: language.dates.month } as const
  return new Intl.DateTimeFormat(language.locale, sameYear ? options : { ...options, year: 'numeric' }).format(ms)
}

/** "2 Sep, 14:05" */
export const momentText = (ms: number, language: Language): string =>
  new Intl.DateTimeFormat(language.locale, {
    day: 'numeric',
    month: language.dates.month,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(ms)
