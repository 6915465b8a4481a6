import { addDays, daysBetween } from '../../base/day-text.ts'
import type { UsagePeriod } from '../../usage/usage-period.ts'
import type { UsageUnit } from '../contract/usage-groups.ts'

/** The period of the same length directly before; by month, the same days as many months earlier as the period touches. */
export const previousPeriod = (unit: UsageUnit, { fromDay, toDay }: UsagePeriod): UsagePeriod => {
  if (unit === 'month') {
    const months = monthNumber(toDay) - monthNumber(fromDay) + 1
    const isToEnd = monthNumber(addDays(toDay, 1)) > monthNumber(toDay)
    return { fromDay: monthsEarlier(fromDay, months), toDay: monthsEarlier(toDay, months, isToEnd ? 31 : toDay % 100) }
  }
  const days = daysBetween(fromDay, toDay)
  return { fromDay: addDays(fromDay, -days), toDay: addDays(toDay, -days) }
}

const monthNumber = (day: number): number => Math.floor(day / 10_000) * 12 + (Math.floor(day / 100) % 100) - 1

/** The last of a shorter month stands for the days that it does not have. */
const monthsEarlier = (day: number, months: number, date = day % 100): number => {
  const month = monthNumber(day) - months
  const lastDate = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate()
  return Math.floor(month / 12) * 10_000 + ((month % 12) + 1) * 100 + Math.min(date, lastDate)
}
