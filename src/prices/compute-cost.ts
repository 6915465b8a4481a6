import type { Price } from './price.ts'

export type PricedTokens = {
  promptTokens: number
  /** Included in the prompt tokens. */
  cachedTokens: number
  completionTokens: number
}

/** The number of tokens that a price is for. */
const pricedTokens = 1_000_000

/** The cost in micros, rounded up to a whole one: at most one micro more than the exact cost, for all tokens together. */
export const computeCostMicros = (
  { promptTokens, cachedTokens, completionTokens }: PricedTokens,
  price: Price,
): number => {
  const cached = Math.min(cachedTokens, promptTokens)
  const total =
    (promptTokens - cached) * price.promptMicros +
    cached * price.cachedMicros +
    completionTokens * price.completionMicros
  if (total <= Number.MAX_SAFE_INTEGER) {
    // With the remainder, because the quotient of large numbers is not exact to a millionth.
    const rest = total % pricedTokens
    return (total - rest) / pricedTokens + (rest > 0 ? 1 : 0)
  }
  const exact =
    BigInt(promptTokens - cached) * BigInt(price.promptMicros) +
    BigInt(cached) * BigInt(price.cachedMicros) +
    BigInt(completionTokens) * BigInt(price.completionMicros)
  const micros = (exact + BigInt(pricedTokens - 1)) / BigInt(pricedTokens)
  return micros > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : Number(micros)
}

/** The maximum cost of these tokens, however much of the prompt is cached. */
export const computeMaxCostMicros = (promptTokens: number, completionTokens: number, price: Price): number =>
  computeCostMicros(
    { promptTokens, cachedTokens: price.cachedMicros > price.promptMicros ? promptTokens : 0, completionTokens },
    price,
  )

/** How many completion tokens this amount pays for in addition to the prompt; infinite if they are free. */
export const affordableTokens = (micros: number, promptTokens: number, price: Price): number => {
  if (price.completionMicros === 0)
    return computeMaxCostMicros(promptTokens, 0, price) <= micros ? Number.POSITIVE_INFINITY : 0
  const promptPrice = BigInt(Math.max(price.promptMicros, price.cachedMicros))
  const left = BigInt(Math.max(0, micros)) * BigInt(pricedTokens) - BigInt(promptTokens) * promptPrice
  return left <= 0n ? 0 : Math.min(Number(left / BigInt(price.completionMicros)), Number.MAX_SAFE_INTEGER)
}
