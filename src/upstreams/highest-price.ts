import type { Price } from '../prices/price.ts'

/**
 * The price of a model that several upstreams serve: of each part the highest. Callers pay the same whichever upstream
 * answers, and a budget is never exceeded. Null if no upstream has a price.
 */
export const highestPrice = (prices: readonly (Price | null)[]): Price | null => {
  const given = prices.filter((price) => price !== null)
  if (given.length === 0) return null
  return {
    promptMicros: Math.max(...given.map(({ promptMicros }) => promptMicros)),
    cachedMicros: Math.max(...given.map(({ cachedMicros }) => cachedMicros)),
    completionMicros: Math.max(...given.map(({ completionMicros }) => completionMicros)),
  }
}
