import { monthOf } from '../base/calendar.ts'
import type { UsageRecords } from '../store/ledger-contract.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import { type PendingWrites, pendingTokensOf } from './pending-writes.ts'
import { loadSum, sumOf } from './period-sums.ts'

/** Asks the store for the sums that a decision about these needs and nobody asked for yet. Empty: all are there. */
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
          ask: () => usage.tokens({ ...whose, fromDay: day, toDay: day }),
          pendingTokens: pendingTokensOf(pendingWrites, id, (one) => one === day),
        }),
      )
    if (limits.tokensPerMonth !== null && sumOf(counters.months, month) === null) {
      const days = { fromDay: month * 100 + 1, toDay: month * 100 + 31 }
      loads.push(
        loadSum(counters.months, month, {
          ask: () => usage.tokens({ ...whose, ...days }),
          pendingTokens: pendingTokensOf(pendingWrites, id, (one) => monthOf(one) === month),
        }),
      )
    }
    return loads
  })
