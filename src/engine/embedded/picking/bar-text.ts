import type { FullSampling } from '../../sampling.ts'
import type { Vocabulary } from '../vocabulary.ts'

/**
 * Where a barred text is a token of its own, llama.cpp itself never draws it: a bias costs nothing. A text that is spelled in
 * several tokens is left to the hold, which looks at what was drawn.
 */
export const barText = (sampling: FullSampling, vocabulary: Pick<Vocabulary, 'tokenise'>): FullSampling => {
  const { constraint, withoutText, logitBias } = sampling
  if (constraint !== null || withoutText === null) return sampling
  const [id, ...rest] = vocabulary.tokenise(withoutText, { special: true, continued: true })
  if (id === undefined || rest.length > 0) return sampling
  return { ...sampling, logitBias: [...logitBias, [id, Number.NEGATIVE_INFINITY]] }
}
