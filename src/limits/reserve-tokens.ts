import { decide, narrowestTokenLimit, remainingTokens } from './decide.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { TokenRequest, TokenReservation } from './limiter-contract.ts'
import type { LimiterState } from './limiter-state.ts'
import { appliedLimits, rateLimitHeaders } from './rate-limit-headers.ts'
import { refusalOf } from './refusal.ts'
import { beginRequest, endRequest } from './usage-counters.ts'

/** Decides and reserves in one step; throws the refusal. */
export const reserveTokens = (
  requested: TokenRequest,
  entities: readonly LimitedEntity[],
  at: Moment,
  { moment, withEntities, pendingWrites }: LimiterState,
): TokenReservation => {
  const request = { ...requested, completionTokens: fittingTokens(requested, entities) }
  const reservedTokens = request.promptTokens + request.completionTokens
  const exceeded = decide(entities, reservedTokens, at)
  if (exceeded !== null) throw refusalOf(exceeded, request, at, rateLimitHeaders(entities, at))
  for (const { counters } of entities) beginRequest(counters, at.nowMs, reservedTokens)
  let isSettled = false
  const reservation = {
    reservedTokens,
    // With the current limits, which may have changed since the request was admitted.
    extend: (tokens: number) =>
      withEntities(request, (current, at) => {
        const added = isSettled ? 0 : Math.max(0, Math.min(tokens, remainingTokens(current, at)))
        for (const { counters } of entities) counters.reserved += added
        reservation.reservedTokens += added
        return added
      }),
    applied: appliedLimits(entities, at),
    headers(usedTokens?: number) {
      const { reservedTokens } = reservation
      const ending = isSettled || usedTokens === undefined ? null : { reservedTokens, usedTokens }
      return rateLimitHeaders(entities, moment(), ending)
    },
    settle(usedTokens: number, written: Promise<unknown>) {
      if (isSettled) return
      isSettled = true
      const { nowMs, day } = moment()
      const { reservedTokens } = reservation
      for (const { counters } of entities) endRequest(counters, { nowMs, day, reservedTokens, usedTokens })
      pendingWrites.add({ ids: entities.map(({ id }) => id), day, tokens: usedTokens }, written)
    },
  }
  return reservation
}

/** The requested completion tokens, or the minimum if the narrowest limit never allows as many. */
const fittingTokens = (
  { promptTokens, completionTokens, leastCompletionTokens = completionTokens }: TokenRequest,
  entities: readonly LimitedEntity[],
): number => Math.min(completionTokens, Math.max(leastCompletionTokens, narrowestTokenLimit(entities) - promptTokens))
