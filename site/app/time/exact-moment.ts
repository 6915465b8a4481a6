import type { Language } from '../../../languages/language.ts'

const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const

/** "12:04:31" */
export const clockText = (ms: number, language: Language): string =>
  new Intl.DateTimeFormat(language.locale, time).format(ms)

/** "14:00", for an axis of hours. */
export const hourText = (ms: number, language: Language): string =>
  new Intl.DateTimeFormat(language.locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(ms)

/** "15 Nov 2026, 12:04:31.207 GMT+9" */
export const exactText = (ms: number, language: Language): string =>
  new Intl.DateTimeFormat(language.locale, {
    ...{ day: 'numeric', month: language.dates.month, year: 'numeric' },
    ...{ ...time, fractionalSecondDigits: 3, timeZoneName: 'short' },
  }).format(ms)
