import { ApiError } from '../../base/api-error.ts'
import type { ServedModel } from '../../engine/contract.ts'

/** Nine digits are enough to restore every 32-bit float. */
const digits = 9

/** The scores in the order of the pairs. `usesActivation`: between 0 and 1, which some upstreams always send. */
export const readScores = async (
  computed: AsyncIterable<Float32Array>,
  { usesActivation }: { usesActivation: boolean },
  { scoresAreActivated }: Pick<ServedModel, 'scoresAreActivated'>,
): Promise<number[]> => {
  const scores: number[] = []
  for await (const [score = Number.NaN] of computed) {
    // JSON has no such number.
    if (!Number.isFinite(score))
      throw ApiError.of('engine_failed', {}, { cause: `the model computed the score ${score}` })
    const shown = usesActivation && !scoresAreActivated ? 1 / (1 + Math.exp(-score)) : score
    scores.push(Number(shown.toPrecision(digits)))
  }
  return scores
}
