import { isPeriod, type LimitUnit } from '../config/limit-kinds.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { PendingWrites } from './pending-writes.ts'
import { periodAt, periodDays } from './period.ts'
import { loadSum, type PeriodSums, sumOf } from './period-sums.ts'
import { type SettledSums, settledSum } from './settled-sum.ts'

type Sources = { usage: SettledSums; pendingWrites: PendingWrites }

/** Loads the sums that a decision about these entities needs. Empty if all are loaded. */
export const loadSums = (
  entities: readonly LimitedEntity[],
  organisationId: string,
  { day }: Moment,
  sources: Sources,
): Promise<void>[] => {
  const loads: Promise<void>[] = []
  for (const { scope, id, limits, counters } of entities)
    for (const { unit, window, sumIndex } of limits) {
      if (!isPeriod(window)) continue
      const period = periodAt(window, day)
      const sums = counters.sums[sumIndex]
      if (sums === undefined || sumOf(sums, period) !== null) continue
      const whose = { organisationId: scope === 'server' ? null : organisationId, keyId: scope === 'key' ? id : null }
      loads.push(load(sums, { id, whose, unit, period }, sources))
    }
  return loads
}

type Wanted = {
  /** The id of the entity. */
  id: string
  whose: { organisationId: string | null; keyId: string | null }
  unit: LimitUnit
  period: number
}

/** Outside the loop, because closures created there would slow down every decision. */
const load = (sums: PeriodSums, { id, whose, unit, period }: Wanted, { usage, pendingWrites }: Sources) => {
  const { fromDay, toDay } = periodDays(period)
  return loadSum(sums, period, {
    load: () => settledSum(usage, unit, { ...whose, fromDay, toDay }),
    pending: pendingWrites.sumOf(id, unit, (day) => fromDay <= day && day <= toDay),
  })
}
