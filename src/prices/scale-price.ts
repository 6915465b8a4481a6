import type { Price } from './price.ts'

/** So many percent of a price, rounded up to whole micros. */
export const scalePrice = ({ promptMicros, cachedMicros, completionMicros }: Price, percent: number): Price => {
  const scale = (micros: number): number => Math.ceil((micros * percent) / 100)
  return {
    promptMicros: scale(promptMicros),
    cachedMicros: scale(cachedMicros),
    completionMicros: scale(completionMicros),
  }
}
