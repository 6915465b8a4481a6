import { dayOf } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import { keyState } from '../../keys/key-state.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import { usageSnapshotsJson } from '../../limits/limits-json.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { UsageRecords } from '../../store/ledger-contract.ts'
import { noRecentUse, recentPeriod, recentUse } from '../../usage/recent-use.ts'
import { keyJson, seconds } from '../keys/key-json.ts'
import { ownKeyOperations } from './operations.ts'

type OwnKeyDependencies = {
  limiter: Pick<Limiter, 'usageSnapshots'>
  usage: Pick<UsageRecords, 'rows'>
  clock: Clock
  timeZone: string
}

/** What the caller's own key may do, and how much of it is left. */
export const createOwnKeyRoutes = ({ limiter, usage, clock, timeZone }: OwnKeyDependencies): Route[] => [
  createRoute(ownKeyOperations.getOwnKey, async ({ caller: { key, organisationId } }) => {
    const now = clock.now()
    const day = dayOf(now, timeZone)
    const [snapshots, rows] = await Promise.all([
      limiter.usageSnapshots(organisationId, key),
      usage.rows({ organisationId, keyId: key.id, ...recentPeriod(day) }),
    ])
    // Callers must not see what others use of the server.
    const own = usageSnapshotsJson(snapshots, seconds).flatMap(({ scope, ...use }) =>
      scope === 'server' ? [] : [{ scope, ...use }],
    )
    const { today, thisMonth } = recentUse(rows, day, () => key.id).get(key.id) ?? noRecentUse()
    return {
      // It is in use right now.
      ...keyJson({ ...key, lastUsedAt: now, state: keyState(key, now) }),
      organisation_id: organisationId,
      limit_use: own,
      usage: { time_zone: timeZone, tokens_today: today, tokens_this_month: thisMonth },
    }
  }),
]
