import { monthOf } from '../base/calendar.ts'
import type { UsageRecords } from '../store/ledger-contract.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { PendingWrites } from './pending-writes.ts'
import { loadSum, type PeriodSums, sumOf } from './period-sums.ts'
import type { Amount } from './usage-counters.ts'

type Sources = { usage: Pick<UsageRecords, 'tokens' | 'costMicros'>; pendingWrites: PendingWrites }

/** Loads the sums that a decision about these entities needs. Empty: all are loaded. */
export const loadSums = (
  entities: readonly LimitedEntity[],
  organisationId: string,
  { day }: Moment,
  { usage, pendingWrites }: Sources,
): Promise<void>[] => {
  const month = monthOf(day)
  const loads: Promise<void>[] = []
  for (const { scope, id, limits, counters } of entities) {
    const load = (what: keyof Amount, sums: PeriodSums, period: number): void => {
      if (sumOf(sums, period) !== null) return
      const whose = { organisationId: scope === 'server' ? null : organisationId, keyId: scope === 'key' ? id : null }
      const days = period === day ? { fromDay: day, toDay: day } : { fromDay: month * 100 + 1, toDay: month * 100 + 31 }
      const isInPeriod = (one: number): boolean => one === period || monthOf(one) === period
      loads.push(
        loadSum(sums, period, {
          load: () => usage[what]({ ...whose, ...days }),
          pending: pendingWrites.sumOf(id, what, isInPeriod),
        }),
      )
    }
    if (limits.tokensPerDay !== null) load('tokens', counters.days, day)
    if (limits.tokensPerMonth !== null) load('tokens', counters.months, month)
    if (limits.costPerDayMicros !== null) load('costMicros', counters.costDays, day)
    if (limits.costPerMonthMicros !== null) load('costMicros', counters.costMonths, month)
  }
  return loads
}
