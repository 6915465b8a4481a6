import { ApiError } from '../../base/api-error.ts'

/** Nine digits are enough to restore every 32-bit float. */
const digits = 9

/** The scores in the order of the pairs. `usesActivation`: between 0 and 1. */
export const readScores = async (
  computed: AsyncIterable<Float32Array>,
  { usesActivation }: { usesActivation: boolean },
): Promise<number[]> => {
  const scores: number[] = []
  for await (const [score = Number.NaN] of computed) {
    // JSON has no such number.
    if (!Number.isFinite(score))
      throw ApiError.of('engine_failed', {}, { cause: `the model computed the score ${score}` })
    const shown = usesActivation ? 1 / (1 + Math.exp(-score)) : score
    scores.push(Number(shown.toPrecision(digits)))
  }
  return scores
}
