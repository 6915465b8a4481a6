import type { Limits } from '../store/ledger-contract.ts'
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

const wireNames = [
  ['requestsPerMinute', 'requests_per_minute'],
  ['tokensPerMinute', 'tokens_per_minute'],
  ['requestsInFlight', 'requests_in_flight'],
  ['tokensPerDay', 'tokens_per_day'],
  ['tokensPerMonth', 'tokens_per_month'],
  ['costPerDayMicros', 'cost_per_day_micros'],
  ['costPerMonthMicros', 'cost_per_month_micros'],
] as const satisfies readonly (readonly [keyof Limits, keyof LimitsJson])[]

/** One item for each limit that is set, in the order of the scopes. `moment` formats a time. */
export const usageSnapshotsJson = <Moment>(snapshots: readonly UsageSnapshot[], moment: (ms: number) => Moment) =>
  snapshots.flatMap(({ scope, uses }) =>
    wireNames.flatMap(([own, name]) => {
      const use = uses[own]
      if (use === undefined) return []
      const { limit, used, resetsAt } = use
      const remaining = Math.max(0, limit - used)
      return [{ scope, name, limit, used, remaining, resets_at: resetsAt === null ? null : moment(resetsAt) }]
    }),
  )
