import { affordableTokens } from '../prices/compute-cost.ts'
import type { Price } from '../prices/price.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { TokenRequest } from './limiter-contract.ts'
import { narrowestLimit, remainingOfBudgets, remainingOfMinute } from './remaining.ts'
import type { Amount } from './usage-counters.ts'

/**
 * The requested completion tokens, or as many as the limits can ever allow. If fewer are left this minute, those, but
 * not fewer than `enoughCompletionTokens`, because more become free soon. If a budget has fewer left, those, down to
 * the minimum, because nothing changes until the day or month ends.
 */
export const fittingTokens = (
  requested: TokenRequest,
  price: Price | null,
  entities: readonly LimitedEntity[],
  at: Moment,
): number => {
  const ever = everFittingTokens(requested, price, entities)
  const { promptTokens, enoughCompletionTokens = ever, leastCompletionTokens = ever } = requested
  const ofMinute = remainingOfMinute(entities, at) - promptTokens
  const now = Math.min(ever, Math.max(enoughCompletionTokens, ofMinute))
  if (leastCompletionTokens >= now) return now
  const micros = remainingOfBudgets(entities, 'money', at)
  const affordable =
    price === null || micros === Number.POSITIVE_INFINITY
      ? Number.POSITIVE_INFINITY
      : affordableTokens(Math.max(0, micros), promptTokens, price)
  return Math.max(
    leastCompletionTokens,
    Math.min(now, remainingOfBudgets(entities, 'tokens', at) - promptTokens, affordable),
  )
}

/** The maximum that all limits can ever allow, whatever is used of them now. */
export const everFittingTokens = (
  { promptTokens, completionTokens, leastCompletionTokens = completionTokens }: TokenRequest,
  price: Price | null,
  entities: readonly Pick<LimitedEntity, 'limits'>[],
): number => {
  if (leastCompletionTokens >= completionTokens) return completionTokens
  const max = narrowestLimit(entities, 'tokens') - promptTokens
  const narrowest = narrowestLimit(entities, 'money')
  const affordable =
    price === null || narrowest === Number.POSITIVE_INFINITY ? max : affordableTokens(narrowest, promptTokens, price)
  return Math.min(completionTokens, Math.max(leastCompletionTokens, Math.min(max, affordable)))
}

/** How many more completion tokens this many micros pay for. */
export const affordableMore = (
  micros: number,
  reserved: Pick<Amount, 'tokens' | 'costMicros'>,
  promptTokens: number,
  price: Price | null,
): number => {
  if (price === null || micros === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY
  if (micros < 0) return price.completionMicros === 0 ? Number.POSITIVE_INFINITY : 0
  return affordableTokens(reserved.costMicros + micros, promptTokens, price) - (reserved.tokens - promptTokens)
}
