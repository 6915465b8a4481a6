import type { Limits } from '../store/ledger-contract.ts'
import { limitNames, limitWireNames } from '../store/limit-names.ts'
import type { UsageSnapshot } from './limiter-contract.ts'

/** Limits as in the API. */
export const limitsJson = (limits: Limits) => ({
  requests_per_minute: limits.requestsPerMinute,
  tokens_per_minute: limits.tokensPerMinute,
  requests_in_flight: limits.requestsInFlight,
  tokens_per_day: limits.tokensPerDay,
  tokens_per_month: limits.tokensPerMonth,
  cost_per_day_micros: limits.costPerDayMicros,
  cost_per_month_micros: limits.costPerMonthMicros,
})

export type LimitsJson = ReturnType<typeof limitsJson>

/** One item for each limit that is set, in the order of the scopes. `moment` formats a time. */
export const usageSnapshotsJson = <Moment>(snapshots: readonly UsageSnapshot[], moment: (ms: number) => Moment) =>
  snapshots.flatMap(({ scope, uses }) =>
    limitNames.flatMap((own) => {
      const use = uses[own]
      if (use === undefined) return []
      const { limit, used, resetsAt } = use
      const remaining = Math.max(0, limit - used)
      return [
        {
          scope,
          name: limitWireNames[own],
          limit,
          used,
          remaining,
          resets_at: resetsAt === null ? null : moment(resetsAt),
        },
      ]
    }),
  )
