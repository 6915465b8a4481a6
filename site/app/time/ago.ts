import type { Language } from '../../../languages/language.ts'

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** "3 hours ago"; null for what is less than a minute ago. */
export const ago = (ms: number, nowMs: number, language: Language): string | null => {
  const format = new Intl.RelativeTimeFormat(language.locale, { numeric: 'auto' })
  const step = steps.find(([, size]) => nowMs - ms >= size)
  return step === undefined ? null : format.format(-Math.floor((nowMs - ms) / step[1]), step[0])
}
