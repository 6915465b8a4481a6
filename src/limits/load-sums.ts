import { monthOf } from '../base/calendar.ts'
import type { UsageRecords } from '../store/ledger-contract.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { PendingWrites } from './pending-writes.ts'
import { loadSum, sumOf } from './period-sums.ts'

/** Loads the sums that a decision about these entities needs. Empty: all are loaded. */
export const loadSums = (
  entities: readonly LimitedEntity[],
  organisationId: string,
  { day }: Moment,
  { usage, pendingWrites }: { usage: Pick<UsageRecords, 'tokens'>; pendingWrites: PendingWrites },
): Promise<void>[] =>
  entities.flatMap(({ scope, id, limits, counters }) => {
    const whose = {
      organisationId: scope === 'server' ? null : organisationId,
      keyId: scope === 'key' ? id : null,
    }
    const month = monthOf(day)
    const loads: Promise<void>[] = []
    if (limits.tokensPerDay !== null && sumOf(counters.days, day) === null)
      loads.push(
        loadSum(counters.days, day, {
          load: () => usage.tokens({ ...whose, fromDay: day, toDay: day }),
          pendingTokens: pendingWrites.tokensOf(id, (one) => one === day),
        }),
      )
    if (limits.tokensPerMonth !== null && sumOf(counters.months, month) === null) {
      const days = { fromDay: month * 100 + 1, toDay: month * 100 + 31 }
      loads.push(
        loadSum(counters.months, month, {
          load: () => usage.tokens({ ...whose, ...days }),
          pendingTokens: pendingWrites.tokensOf(id, (one) => monthOf(one) === month),
        }),
      )
    }
    return loads
  })
