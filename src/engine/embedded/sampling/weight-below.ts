const stepsPerUnit = 32
const step = 1 / stepsPerUnit
/** Lower tokens weigh less than 1e-17 of the best one. */
const limit = 40
const table = Float64Array.from({ length: limit * stepsPerUnit + 1 }, (_, index) => Math.exp(-index * step))
const sixth = 1 / 6

/**
 * `exp(-below)`, accurate to seven digits: the weight of a token that is so far below the best one. Three times as fast as
 * `Math.exp`, which would take longer than everything else in sampling. 0 for NaN and infinity.
 */
export const weightBelow = (below: number): number => {
  if (!(below < limit)) return 0
  const index = (below * stepsPerUnit) | 0
  const rest = index * step - below
  return (table[index] ?? 0) * (1 + rest * (1 + rest * (0.5 + rest * sixth)))
}
