import type { Language } from '../../../src/site-server/pages.ts'

const localeOf = (language: Language): string => (language === 'ja' ? 'ja-JP' : 'en-GB')
const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const

/** "12:04:31" */
export const clockText = (ms: number, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), time).format(ms)

/** "14:00", for an axis of hours. */
export const hourText = (ms: number, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(ms)

/** "15 Nov 2026, 12:04:31.207 GMT+9" */
export const exactText = (ms: number, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), {
    ...{ day: 'numeric', month: language === 'ja' ? 'long' : 'short', year: 'numeric' },
    ...{ ...time, fractionalSecondDigits: 3, timeZoneName: 'short' },
  }).format(ms)
