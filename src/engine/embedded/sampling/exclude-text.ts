import type { FullSampling } from '../../sampling.ts'
import type { Vocabulary } from '../llama/vocabulary.ts'

/**
 * If an excluded text is a single token, a bias excludes it at no cost. A text of several tokens is left to the
 * constraint, which checks each token.
 */
export const excludeText = (sampling: FullSampling, vocabulary: Pick<Vocabulary, 'tokenise'>): FullSampling => {
  const { constraint, withoutText, logitBias } = sampling
  if (constraint !== null || withoutText === null) return sampling
  const [id, ...rest] = vocabulary.tokenise(withoutText, { special: true, continued: true })
  if (id === undefined || rest.length > 0) return sampling
  return { ...sampling, logitBias: [...logitBias, [id, Number.NEGATIVE_INFINITY]] }
}
