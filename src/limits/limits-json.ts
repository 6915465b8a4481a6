import { eachWireName, type Limits } from '../config/limit-kinds.ts'
import { limitNames, limitWireNames } from '../store/limit-names.ts'
import type { UsageSnapshot } from './limiter-contract.ts'

/** Limits as in the API. */
export const limitsJson = (limits: Limits) => eachWireName((name) => limits[name])

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
