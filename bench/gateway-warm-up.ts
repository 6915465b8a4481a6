/** So many rounds without a new lowest figure, or so many in all, end the warm-up. */
const steadyRounds = 3
const maxRounds = 10
/** A figure is a new lowest one if it is below this share of the last. */
const improvement = 0.97

/**
 * Repeats a measurement until it falls no further: V8 compiles code for tens of thousands of requests, and a gateway runs for
 * days. The rule is the same for everything that is compared. Returns the number of rounds.
 */
export const warmUp = async (measure: () => Promise<number>): Promise<number> => {
  let lowest = Number.POSITIVE_INFINITY
  let steady = 0
  for (let round = 1; ; round += 1) {
    const figure = await measure()
    steady = figure < lowest * improvement ? 0 : steady + 1
    lowest = Math.min(lowest, figure)
    if (steady >= steadyRounds || round >= maxRounds) return round
  }
}
