import { monthOf } from '../base/calendar.ts'
import { addDays, daysBetween } from '../base/day-text.ts'
import type { UsageRow } from '../store/ledger-contract.ts'
import { totalTokens } from './summarise.ts'
import type { UsagePeriod } from './usage-period.ts'

/** Tokens, of prompts and answers together. */
export type RecentUse = { today: number; thisMonth: number /** The last 14, today at the end. */; lastDays: number[] }

const shownDays = 14

export const noRecentUse = (): RecentUse => ({ today: 0, thisMonth: 0, lastDays: new Array<number>(shownDays).fill(0) })

/** The days whose rows `recentUse` needs: this month and the last fortnight. */
export const recentPeriod = (today: number): UsagePeriod => ({
  fromDay: Math.min(monthOf(today) * 100 + 1, addDays(today, 1 - shownDays)),
  toDay: today,
})

/** By whatever `nameOf` says: a key, an organisation. Those that used nothing are left out. */
export const recentUse = <Name>(
  rows: readonly UsageRow[],
  today: number,
  nameOf: (row: UsageRow) => Name,
): ReadonlyMap<Name, RecentUse> => {
  const uses = new Map<Name, RecentUse>()
  for (const row of rows) {
    const use = uses.get(nameOf(row)) ?? noRecentUse()
    const tokens = totalTokens(row)
    const place = shownDays - daysBetween(row.day, today)
    if (row.day === today) use.today += tokens
    if (monthOf(row.day) === monthOf(today)) use.thisMonth += tokens
    if (place >= 0) use.lastDays[place] = (use.lastDays[place] ?? 0) + tokens
    uses.set(nameOf(row), use)
  }
  return uses
}
