import type { Price } from './price.ts'

/** Whether a request may cost nothing. Every request has a prompt, but not every one has an answer. */
export const isFree = (price: Price | null): boolean =>
  price === null || price.promptMicros === 0 || price.cachedMicros === 0
