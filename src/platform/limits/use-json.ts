import type { Standing } from '../../limits/limiter.ts'
import { noRecentUse, type RecentUse } from '../../usage/recent-use.ts'

/** How much of each limit of one scope is used; nothing for limits that are not set. */
export const usesOf = (standing: readonly Standing[], wanted: Standing['scope']): Standing['uses'] =>
  standing.find(({ scope }) => scope === wanted)?.uses ?? {}

export const tokensJson = ({ today, thisMonth, lastDays }: RecentUse = noRecentUse()) => ({
  tokensToday: today,
  tokensThisMonth: thisMonth,
  tokensOfDays: lastDays,
})
