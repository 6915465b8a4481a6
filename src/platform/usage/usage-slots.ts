import { dayStartAt, monthOf } from '../../base/calendar.ts'
import { addDays, dayText } from '../../base/day-text.ts'
import type { UsagePeriod } from '../../usage/usage-period.ts'
import type { UsageUnit } from '../contract/usage-groups.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The hours, days or months of a period, oldest first. */
export type UsageSlots = {
  names: readonly string[]
  /** Of a day such as 20261115. */
  indexOfDay(day: number): number
  /** Of a moment in the period. */
  indexOfTime(at: number): number
}

export const buildSlots = (unit: UsageUnit, { fromDay, toDay }: UsagePeriod, timeZone: string): UsageSlots => {
  if (unit === 'total') return { names: [''], indexOfDay: () => 0, indexOfTime: () => 0 }
  if (unit === 'hour') return hourSlots({ fromDay, toDay }, timeZone)
  const slotName = (day: number): string => (unit === 'day' ? dayText(day) : dayText(day).slice(0, 7))
  const firstDays: number[] = []
  for (let day = fromDay; day <= toDay; day = addDays(day, 1))
    if (unit === 'day' || day === fromDay || monthOf(day) !== monthOf(firstDays.at(-1) ?? 0)) firstDays.push(day)
  let starts: number[] | null = null
  return {
    names: firstDays.map(slotName),
    indexOfDay: (day) => lastUpTo(firstDays, day),
    indexOfTime(at) {
      // Only if it is needed: clocks have to be looked up.
      starts ??= dayStarts(firstDays, timeZone)
      return lastUpTo(starts, at)
    },
  }
}

/** The moments at which a period begins and ends. */
export const periodBounds = ({ fromDay, toDay }: UsagePeriod, timeZone: string): { from: number; until: number } => ({
  from: dayStartAt(fromDay, timeZone),
  until: dayStartAt(addDays(toDay, 1), timeZone),
})

const dayStarts = (days: readonly number[], timeZone: string): number[] => {
  const starts: number[] = []
  for (const day of days) starts.push(dayStartAt(day, timeZone, (starts.at(-1) ?? 0) + dayMs))
  return starts
}

/** By moments, not by the clock: when it is put back, an hour comes twice. */
const hourSlots = (period: UsagePeriod, timeZone: string): UsageSlots => {
  const { from, until } = periodBounds(period, timeZone)
  const format = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    ...{ hourCycle: 'h23', timeZoneName: 'longOffset', calendar: 'gregory', numberingSystem: 'latn' },
  })
  const names: string[] = []
  for (let at = from; at < until; at += hourMs) {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const offset = part.timeZoneName?.slice(3) || '+00:00'
    names.push(`${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}${offset}`)
  }
  return {
    names,
    // Stored days are not divided into hours.
    indexOfDay: () => 0,
    indexOfTime: (at) => Math.min(names.length - 1, Math.max(0, Math.floor((at - from) / hourMs))),
  }
}

const lastUpTo = (sorted: readonly number[], value: number): number => {
  let [low, high] = [0, sorted.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((sorted[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
