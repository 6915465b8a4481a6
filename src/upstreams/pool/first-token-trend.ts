/** Whether the first tokens of one upstream with one model come far later than they did. */
export interface FirstTokenTrend {
  /** A stream began after this time. Returns whether streams now begin far later than before. */
  add(firstTokenMs: number): boolean
}

/** The time to the first token depends on the prompt too, so only a large difference counts. */
const slowTimes = 4
const slowMoreMs = 1000
const smoothing = 0.2
/** The shortest time grows with every answer, or an upstream that has become slower would never be believed. */
const baselineGrowth = 1.01

/**
 * For each model by itself, and of streams only: the times of others are longer or shorter for reasons that say nothing about the
 * load. An answer that comes whole takes as long as it has tokens, and vectors as long as they have inputs.
 */
export const createFirstTokenTrend = (): FirstTokenTrend => {
  let usualMs: number | null = null
  let shortestMs = Number.POSITIVE_INFINITY
  return {
    add(ms) {
      usualMs = usualMs === null ? ms : usualMs + smoothing * (ms - usualMs)
      shortestMs = Math.min(usualMs, shortestMs * baselineGrowth)
      return usualMs > slowTimes * shortestMs && usualMs > shortestMs + slowMoreMs
    },
  }
}
