import { computeCostMicros, computeMaxCostMicros } from '../prices/compute-cost.ts'
import type { Price } from '../prices/price.ts'
import { decide } from './decide.ts'
import { affordableMore, fittingTokens } from './fitting-tokens.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { TokenRequest, TokenReservation, UsedTokens } from './limiter-contract.ts'
import type { LimiterState } from './limiter-state.ts'
import { priceOf } from './price-of.ts'
import { appliedLimits, rateLimitHeaders } from './rate-limit-headers.ts'
import { createRefusal } from './refusal.ts'
import { remainingOfBudgets, remainingTokens } from './remaining.ts'
import { type Amount, beginRequest, endRequest, releaseRequest } from './usage-counters.ts'

/** Decides and reserves in one step; throws the refusal. */
export const reserveTokens = (
  requested: TokenRequest,
  entities: readonly LimitedEntity[],
  at: Moment,
  state: LimiterState,
): TokenReservation => {
  // The price stays the same while the request runs, even if it changes in the meantime.
  const price = priceOf(requested, state)
  const reserved = decideAmount(requested, price, entities, at, state)
  for (const { counters } of entities) beginRequest(counters, at.nowMs, reserved)
  return createReservation(requested, price, reserved, entities, at, state)
}

/** What is reserved. Throws the refusal if that is more than a limit allows. */
const decideAmount = (
  requested: TokenRequest,
  price: Price | null,
  entities: readonly LimitedEntity[],
  at: Moment,
  { currency }: LimiterState,
): Amount => {
  const { model, promptTokens } = requested
  const completionTokens = fittingTokens(requested, price, entities, at)
  const costMicros = price === null ? 0 : computeMaxCostMicros(promptTokens, completionTokens, price)
  const reserved: Amount = { requests: 1, tokens: promptTokens + completionTokens, costMicros }
  const exceeded = decide(entities, reserved, at)
  if (exceeded === null) return reserved
  const refused = { model, promptTokens, completionTokens, costMicros, currency }
  throw createRefusal(exceeded, refused, at, rateLimitHeaders(entities, at))
}

const createReservation = (
  requested: TokenRequest,
  price: Price | null,
  reserved: Amount,
  entities: readonly LimitedEntity[],
  at: Moment,
  { moment, withEntities, pendingWrites }: LimiterState,
): TokenReservation => {
  const { promptTokens } = requested
  let isSettled = false

  /** In one step for tokens and their cost. */
  const add = (tokens: number): number => {
    const total = reserved.tokens + tokens
    const costMicros = price === null ? 0 : computeMaxCostMicros(promptTokens, total - promptTokens, price)
    for (const { counters } of entities) {
      counters.reserved += tokens
      counters.reservedMicros += costMicros - reserved.costMicros
    }
    reserved.tokens = total
    reserved.costMicros = costMicros
    reservation.reservedTokens = total
    return tokens
  }
  const reservation = {
    // No getter: see `engine/remote/answer-reader.ts`.
    reservedTokens: reserved.tokens,
    price,
    reservedMicros: price === null ? null : reserved.costMicros,
    // With the current limits, which may have changed since the request was admitted.
    extend: (tokens: number) =>
      withEntities(requested, (current, at) => {
        if (isSettled) return 0
        const affordable = affordableMore(remainingOfBudgets(current, 'money', at), reserved, promptTokens, price)
        return add(Math.max(0, Math.min(tokens, remainingTokens(current, at), affordable)))
      }),
    applied: appliedLimits(entities, at),
    headers(usedTokens?: number) {
      const ending = isSettled || usedTokens === undefined ? null : { reservedTokens: reserved.tokens, usedTokens }
      return rateLimitHeaders(entities, moment(), ending)
    },
    settle(counts: UsedTokens, written: Promise<unknown>) {
      if (isSettled) return
      isSettled = true
      const { nowMs, day } = moment()
      const used: Amount = {
        requests: 1,
        tokens: counts.promptTokens + counts.completionTokens,
        costMicros: price === null ? 0 : computeCostMicros(counts, price),
      }
      for (const { counters } of entities) endRequest(counters, { nowMs, day, reserved, used })
      pendingWrites.add({ ids: entities.map(({ id }) => id), day, ...used }, written)
    },
    cancel() {
      if (isSettled) return
      isSettled = true
      for (const { counters } of entities) releaseRequest(counters, reserved)
    },
  }
  return reservation
}
