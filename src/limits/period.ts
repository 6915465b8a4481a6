import { monthOf, nextDayAt, nextMonthAt } from '../base/calendar.ts'

/** The windows of budgets, by the calendar. */
export type Period = 'day' | 'month'

/** The day or the month of a day: 20261115 or 202611. */
export const periodAt = (period: Period, day: number): number => (period === 'day' ? day : monthOf(day))

/** When the current period ends. */
export const periodEndsAt = (period: Period, { now, timeZone }: { now: number; timeZone: string }): number =>
  period === 'day' ? nextDayAt(now, timeZone) : nextMonthAt(now, timeZone)

/** The first and the last day of a period returned by `periodAt`. */
export const periodDays = (value: number): { fromDay: number; toDay: number } =>
  value < 1_000_000 ? { fromDay: value * 100 + 1, toDay: value * 100 + 31 } : { fromDay: value, toDay: value }
