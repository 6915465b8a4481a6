import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { Caller } from '../../http/route.ts'
import { keyState } from '../../keys/key-state.ts'
import type { Limiter } from '../../limits/limiter.ts'
import { standingJson } from '../../limits/limits-json.ts'
import type { Store } from '../../store/contract.ts'
import { recentTokens } from '../../usage/recent-tokens.ts'
import { keyJson, seconds } from '../keys/key-json.ts'

export type KeyRooms = {
  limiter: Pick<Limiter, 'standing'>
  store: Pick<Store, 'usage'>
  clock: Clock
  timeZone: string
}

/** `GET /v1/key`: what the caller's own key may do, and how much of it is left. */
export const createShowKey =
  ({ limiter, store, clock, timeZone }: KeyRooms) =>
  async (exchange: Exchange, { key, organisationId }: Caller): Promise<void> => {
    const now = clock.now()
    const [standing, tokens] = await Promise.all([
      limiter.standing(organisationId, key),
      recentTokens(store.usage, { organisationId, keyId: key.id }, now, timeZone),
    ])
    // What others use of the server is not this caller's affair.
    const own = standing.filter(({ scope }) => scope !== 'server')
    const { today = 0, thisMonth = 0 } = tokens.get(key.id) ?? {}
    sendJson(exchange, 200, {
      // It is in use at this very moment.
      ...keyJson({ ...key, lastUsedAt: now, state: keyState(key, now) }),
      organisation_id: organisationId,
      limit_use: standingJson(own, seconds),
      usage: { time_zone: timeZone, tokens_today: today, tokens_this_month: thisMonth },
    })
  }
