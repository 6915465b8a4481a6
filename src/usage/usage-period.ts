import { dayOf, monthOf } from '../base/calendar.ts'
import { daysBetween, readDayText } from '../base/day-text.ts'

const usualMaxDays = 366

/** Nothing was used on days further away, and the period before them could leave the years of four digits. */
const [firstDay, lastDay] = [1900_01_01, 9000_12_31]

export type UsagePeriod = { fromDay: number; toDay: number }
type ReadPeriod =
  | { outcome: 'read'; period: UsagePeriod }
  | { outcome: 'refused'; field: 'from' | 'to'; reason: string }

/** The first and last day, both included; this month so far by default. */
export const readPeriod = (
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: number,
  timeZone: string,
  maxDays: number = usualMaxDays,
): ReadPeriod => {
  const today = dayOf(now, timeZone)
  const toDay = to === undefined ? today : readDay(to)
  if (toDay === null) return noDay('to')
  const fromDay = from === undefined ? monthOf(Math.min(toDay, today)) * 100 + 1 : readDay(from)
  if (fromDay === null) return noDay('from')
  if (fromDay > toDay) return { outcome: 'refused', field: 'from', reason: "it must not be later than 'to'" }
  if (daysBetween(fromDay, toDay) > maxDays)
    return { outcome: 'refused', field: 'from', reason: `at most ${maxDays} days can be requested at once` }
  return { outcome: 'read', period: { fromDay, toDay } }
}

const readDay = (text: string): number | null => {
  const day = readDayText(text)
  return day !== null && day >= firstDay && day <= lastDay ? day : null
}

const noDay = (field: 'from' | 'to'): ReadPeriod => ({
  outcome: 'refused',
  field,
  reason: 'expected a date such as 2026-11-15',
})
