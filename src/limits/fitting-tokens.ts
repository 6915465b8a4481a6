import { affordableTokens } from '../prices/cost-of.ts'
import type { Price } from '../prices/price.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { TokenRequest } from './limiter-contract.ts'
import { narrowestCostLimit, narrowestTokenLimit, remainingMicros, remainingTokens } from './remaining.ts'
import type { Amount } from './usage-counters.ts'

/**
 * The requested completion tokens, or the minimum if the narrowest limit never allows as many. If fewer are left now, as
 * many as are left, but not below what is enough.
 */
export const fittingTokens = (
  requested: TokenRequest,
  price: Price | null,
  entities: readonly LimitedEntity[],
  at: Moment,
): number => {
  const ever = everFittingTokens(requested, price, entities)
  const { promptTokens, enoughCompletionTokens = ever } = requested
  if (enoughCompletionTokens >= ever) return ever
  const micros = remainingMicros(entities, at)
  const affordable =
    price === null || micros === Number.POSITIVE_INFINITY
      ? Number.POSITIVE_INFINITY
      : affordableTokens(Math.max(0, micros), promptTokens, price)
  const left = Math.min(remainingTokens(entities, at) - promptTokens, affordable)
  return Math.max(enoughCompletionTokens, Math.min(ever, left))
}

/** As many as all limits can ever allow, whatever is used of them now. */
export const everFittingTokens = (
  { promptTokens, completionTokens, leastCompletionTokens = completionTokens }: TokenRequest,
  price: Price | null,
  entities: readonly Pick<LimitedEntity, 'limits'>[],
): number => {
  if (leastCompletionTokens >= completionTokens) return completionTokens
  const most = narrowestTokenLimit(entities) - promptTokens
  const narrowest = narrowestCostLimit(entities)
  const affordable =
    price === null || narrowest === Number.POSITIVE_INFINITY ? most : affordableTokens(narrowest, promptTokens, price)
  return Math.min(completionTokens, Math.max(leastCompletionTokens, Math.min(most, affordable)))
}

/** How many more completion tokens so many micros pay for. */
export const affordableMore = (micros: number, reserved: Amount, promptTokens: number, price: Price | null): number => {
  if (price === null || micros === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY
  if (micros < 0) return price.completionMicros === 0 ? Number.POSITIVE_INFINITY : 0
  return affordableTokens(reserved.costMicros + micros, promptTokens, price) - (reserved.tokens - promptTokens)
}
