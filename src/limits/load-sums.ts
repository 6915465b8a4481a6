import { isPeriod } from '../config/limit-kinds.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { PendingWrites } from './pending-writes.ts'
import { daysOf, periodAt } from './period.ts'
import { loadSum, sumOf } from './period-sums.ts'
import { type SettledSums, settledSum } from './settled-sum.ts'

type Sources = { usage: SettledSums; pendingWrites: PendingWrites }

/** Loads the sums that a decision about these entities needs. Empty: all are loaded. */
export const loadSums = (
  entities: readonly LimitedEntity[],
  organisationId: string,
  { day }: Moment,
  { usage, pendingWrites }: Sources,
): Promise<void>[] => {
  const loads: Promise<void>[] = []
  for (const { scope, id, limits, counters } of entities)
    for (const { unit, window, sumIndex } of limits) {
      const sums = counters.sums[sumIndex]
      if (sums === undefined || !isPeriod(window)) continue
      const period = periodAt(window, day)
      if (sumOf(sums, period) !== null) continue
      const whose = { organisationId: scope === 'server' ? null : organisationId, keyId: scope === 'key' ? id : null }
      const load = () => settledSum(usage, unit, { ...whose, ...daysOf(period) })
      const isInPeriod = (one: number): boolean => periodAt(window, one) === period
      loads.push(loadSum(sums, period, { load, pending: pendingWrites.sumOf(id, unit, isInPeriod) }))
    }
  return loads
}
