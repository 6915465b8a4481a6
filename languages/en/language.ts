import type { Language } from '../language.ts'

export const language: Language = {
  code: 'en',
  name: 'English',
  locale: 'en-GB',
  // British compact figures are in small letters: 1.5m.
  roundLocale: 'en-US',
  listSeparator: ', ',
  sentenceSeparator: ' ',
  seconds: (figure) => `${figure}\u00a0s`,
  dates: {
    month: 'short',
    timeSeparator: ', ',
    axisDay: { day: 'numeric', month: 'short' },
  },
}
