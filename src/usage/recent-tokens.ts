import { dayOf, monthOf } from '../base/calendar.ts'
import type { UsageRecords } from '../store/ledger-contract.ts'
import { tokensOf } from './summarise.ts'

export type RecentTokens = { today: number; thisMonth: number }

/** What each key used today and this month; under null what was asked in the playground. Keys that used nothing are left out. */
export const recentTokens = async (
  usage: Pick<UsageRecords, 'rows'>,
  whose: { organisationId: string; keyId?: string },
  now: number,
  timeZone: string,
): Promise<ReadonlyMap<string | null, RecentTokens>> => {
  const today = dayOf(now, timeZone)
  const rows = await usage.rows({ ...whose, fromDay: monthOf(today) * 100 + 1, toDay: today })
  const sums = new Map<string | null, RecentTokens>()
  for (const row of rows) {
    const sum = sums.get(row.keyId) ?? { today: 0, thisMonth: 0 }
    const tokens = tokensOf(row)
    sums.set(row.keyId, { today: sum.today + (row.day === today ? tokens : 0), thisMonth: sum.thisMonth + tokens })
  }
  return sums
}
