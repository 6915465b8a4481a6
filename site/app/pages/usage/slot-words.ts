import type { Language } from '../../../../languages/language.ts'
import type { UsageUnit } from '../../../../src/platform/contract/usage-groups.ts'
import { dayMark, dayWords } from './day-words.ts'

/** The name of an hour, day or month, such as `2026-11-15T13:00+09:00`, as one says it. The clock in it is the one meant. */
export const slotWords = (slot: string, unit: UsageUnit, language: Language): string => {
  if (unit === 'month') return monthWords(slot, language)
  const day = dayWords(slot.slice(0, 10), language)
  return unit === 'hour' ? `${day}${language.dates.timeSeparator}${clockTime(slot)}` : day
}

/** Short, for an axis: a day begins with its date. */
export const slotMark = (slot: string, unit: UsageUnit, language: Language): string => {
  if (unit === 'month') return monthMark(slot, language)
  if (unit === 'hour' && clockTime(slot) !== '00:00') return clockTime(slot)
  return dayMark(slot.slice(0, 10), language)
}

const clockTime = (slot: string): string => slot.slice(11, 16)

const monthText = (slot: string, language: Language, month: 'long' | 'short'): string =>
  new Intl.DateTimeFormat(language.locale, { year: 'numeric', month, timeZone: 'UTC' }).format(Date.parse(`${slot}-01`))

const monthWords = (slot: string, language: Language): string => monthText(slot, language, 'long')

const monthMark = (slot: string, language: Language): string =>
  language.dates.axisMonth?.(slot.slice(0, 4), slot.slice(5, 7)) ?? monthText(slot, language, 'short')
