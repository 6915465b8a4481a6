import type { UsageSnapshot } from '../../limits/limiter-contract.ts'
import { noRecentUse, type RecentUse } from '../../usage/recent-use.ts'

/** How much of each limit of one scope is used; nothing for limits that are not set. */
export const findUses = (snapshots: readonly UsageSnapshot[], wanted: UsageSnapshot['scope']): UsageSnapshot['uses'] =>
  snapshots.find(({ scope }) => scope === wanted)?.uses ?? {}

export const tokensJson = ({ today, thisMonth, lastDays }: RecentUse = noRecentUse()) => ({
  tokensToday: today,
  tokensThisMonth: thisMonth,
  tokensOfDays: lastDays,
})
