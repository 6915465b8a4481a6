import { dayOf } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../http/route.ts'
import { keyState } from '../../keys/key-state.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import { usageSnapshotsJson } from '../../limits/limits-json.ts'
import type { UsageRecords } from '../../store/ledger-contract.ts'
import { noRecentUse, recentPeriod, recentUse } from '../../usage/recent-use.ts'
import { keyJson, seconds } from '../keys/key-json.ts'

type ShowKeyDependencies = {
  limiter: Pick<Limiter, 'usageSnapshots'>
  usage: Pick<UsageRecords, 'rows'>
  clock: Clock
  timeZone: string
}

/** `GET /v1/key`: what the caller's own key may do, and how much of it is left. */
export const createShowKey =
  ({ limiter, usage, clock, timeZone }: ShowKeyDependencies) =>
  async (exchange: Exchange, { key, organisationId }: KeyCaller): Promise<void> => {
    const now = clock.now()
    const day = dayOf(now, timeZone)
    const [snapshots, rows] = await Promise.all([
      limiter.usageSnapshots(organisationId, key),
      usage.rows({ organisationId, keyId: key.id, ...recentPeriod(day) }),
    ])
    // What others use of the server is none of this caller's business.
    const own = snapshots.filter(({ scope }) => scope !== 'server')
    const { today, thisMonth } = recentUse(rows, day, () => key.id).get(key.id) ?? noRecentUse()
    sendJson(exchange, 200, {
      // It is in use right now.
      ...keyJson({ ...key, lastUsedAt: now, state: keyState(key, now) }),
      organisation_id: organisationId,
      limit_use: usageSnapshotsJson(own, seconds),
      usage: { time_zone: timeZone, tokens_today: today, tokens_this_month: thisMonth },
    })
  }
