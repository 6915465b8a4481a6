import type { FullSampling } from '../../sampling.ts'

/**
 * How the next token is found.
 * `native`: llama.cpp draws it. The fastest, but it knows no grammar and can hold back no end token.
 * `top`: llama.cpp tells its likeliest tokens, biased and punished, and we draw among them. As fast, and right but for the
 * thin tail behind them.
 * `full`: it tells all of them, and we do the rest. Twice as slow.
 */
export type Way = 'native' | 'top' | 'full'

type WaySituation = {
  /** The grammar rules the next token. */
  held: boolean
  /** Some token that would end the answer must not come now. */
  endsBarred: boolean
  endsGeneration: (id: number) => boolean
}

export const chooseWay = (sampling: FullSampling, { held, endsBarred, endsGeneration }: WaySituation): Way => {
  const { topLogprobs, repetitionPenalty, frequencyPenalty, presencePenalty, logitBias } = sampling
  // llama.cpp has one set of punished tokens: those of the prompt too, or those of the answer only.
  const mixedPenalties = repetitionPenalty !== 1 && (frequencyPenalty !== 0 || presencePenalty !== 0)
  // The library between us and llama.cpp drops biases of end tokens.
  const biasedEnd = logitBias.some(([id]) => endsGeneration(id))
  if (topLogprobs !== null || mixedPenalties || biasedEnd) return 'full'
  return held || endsBarred ? 'top' : 'native'
}
