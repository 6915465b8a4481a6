/**
 * Prices and costs, in integers: micros are millionths of the operator's currency (setting `currency`). May import `base`
 * only. Promises that a cost is never negative, never falls when tokens are added, and is rounded up once, at its end.
 */

/** What a million tokens of a model cost, in micros. */
export type Price = {
  /** For prompt tokens that are not cached. */
  promptMicros: number
  cachedMicros: number
  completionMicros: number
}

export const microsPerUnit = 1_000_000

/** A million units for a million tokens: one unit of currency for each. */
export const maxPriceMicros = 1_000_000_000_000
