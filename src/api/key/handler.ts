import { dayOf } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../http/route.ts'
import { keyState } from '../../keys/key-state.ts'
import type { Limiter } from '../../limits/limiter.ts'
import { usageSnapshotsJson } from '../../limits/limits-json.ts'
import type { Store } from '../../store/contract.ts'
import { noRecentUse, recentPeriod, recentUse } from '../../usage/recent-use.ts'
import { keyJson, seconds } from '../keys/key-json.ts'

export type KeyRooms = {
  limiter: Pick<Limiter, 'usageSnapshots'>
  store: Pick<Store, 'usage'>
  clock: Clock
  timeZone: string
}

/** `GET /v1/key`: what the caller's own key may do, and how much of it is left. */
export const createShowKey =
  ({ limiter, store, clock, timeZone }: KeyRooms) =>
  async (exchange: Exchange, { key, organisationId }: KeyCaller): Promise<void> => {
    const now = clock.now()
    const day = dayOf(now, timeZone)
    const [snapshots, rows] = await Promise.all([
      limiter.usageSnapshots(organisationId, key),
      store.usage.rows({ organisationId, keyId: key.id, ...recentPeriod(day) }),
    ])
    // What others use of the server is not this caller's affair.
    const own = snapshots.filter(({ scope }) => scope !== 'server')
    const { today, thisMonth } = recentUse(rows, day, () => key.id).get(key.id) ?? noRecentUse()
    sendJson(exchange, 200, {
      // It is in use at this very moment.
      ...keyJson({ ...key, lastUsedAt: now, state: keyState(key, now) }),
      organisation_id: organisationId,
      limit_use: usageSnapshotsJson(own, seconds),
      usage: { time_zone: timeZone, tokens_today: today, tokens_this_month: thisMonth },
    })
  }
