import { computeCostMicros } from '../../prices/compute-cost.ts'
import type { Price } from '../../prices/price.ts'
import type { LimitedEntity, Moment } from '../limited-entity.ts'
import type { TokenRequest, TokenReservation, UsedTokens } from '../limiter-contract.ts'
import { appliedLimits, rateLimitHeaders } from '../rate-limit-headers.ts'
import type { Amount } from '../usage-counters.ts'
import type { NodeRequests } from './node-requests.ts'

export type Admitted = {
  id: string
  requested: TokenRequest
  price: Price | null
  reserved: Amount
  /** As they were at admission. */
  entities: readonly LimitedEntity[]
  at: Moment
}

type Dependencies = {
  requests: NodeRequests
  moment(): Moment
  /** Resolves to how many were added. */
  extend(tokens: number): Promise<number>
}

/** What an admitted request has reserved in Redis, or at this node while Redis is away. */
export const createRedisReservation = (
  admitted: Admitted,
  { requests, moment, extend }: Dependencies,
): TokenReservation => {
  const { id, price, reserved, entities, at } = admitted
  let isSettled = false
  const reservation = {
    reservedTokens: reserved.tokens,
    price,
    reservedMicros: price === null ? null : reserved.costMicros,
    async extend(tokens: number) {
      if (isSettled) return 0
      const added = await extend(tokens)
      if (isSettled) return 0
      reservation.reservedTokens += added
      return added
    },
    applied: appliedLimits(entities, at),
    headers(usedTokens?: number) {
      const ending =
        isSettled || usedTokens === undefined ? null : { reservedTokens: reservation.reservedTokens, usedTokens }
      return rateLimitHeaders(entities, moment(), ending)
    },
    settle(counts: UsedTokens, written: Promise<unknown>) {
      if (isSettled) return
      isSettled = true
      const used: Amount = {
        requests: 1,
        tokens: counts.promptTokens + counts.completionTokens,
        costMicros: price === null ? 0 : computeCostMicros(counts, price),
      }
      requests.end(id, used, moment().day, written)
    },
    cancel() {
      if (isSettled) return
      isSettled = true
      requests.release(id)
    },
  }
  return reservation
}
