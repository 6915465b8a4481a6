import type { TokenLogprob } from '../contract.ts'
import type { FullSampling } from '../sampling.ts'
import { createLogitAdjustment } from './sampling/adjust-logits.ts'
import type { AnswerConstraint } from './sampling/answer-constraint.ts'
import { createIdMask } from './sampling/id-mask.ts'
import { createRandom } from './sampling/random.ts'
import { sampleAllowed } from './sampling/sample-allowed.ts'
import { tokenLogprob } from './sampling/token-logprob.ts'
import { createTokenSearch, type TokenSearch } from './sampling/token-search.ts'

/** The result of one model step for an answer: a token, its end, or both. */
export type AnswerStep = {
  token: { id: number; logprob?: TokenLogprob } | null
  end: 'stop' | 'length' | null
  /** The token that ended the answer, if log probabilities of prompt and answer are wanted. */
  endToken?: { id: number; logprob: TokenLogprob }
}

export interface SampledAnswer {
  /** No token is allowed at all. */
  readonly isEmpty: boolean
  /**
   * Samples from the logits after the prompt and the tokens so far. Modifies the logits and restores them. 'paused': no
   * token that fits the grammar was found among the likely ones, and `resume` continues on a copy of the logits.
   */
  next(logits: Float32Array): AnswerStep | 'paused'
  /** Checks at most this many more tokens. How many each call checks does not change the result. */
  resume(checks: number): AnswerStep | 'paused'
}

type AnswerOptions = {
  prompt: readonly number[]
  sampling: FullSampling
  constraint: AnswerConstraint
  /** Limit for prompt and answer together. */
  contextTokens: number
  tokenBytes: (id: number) => Uint8Array
  endsGeneration: (id: number) => boolean
}

/**
 * Checking a whole vocabulary takes longer than a step of the model. If one of this many tokens fits, the less likely
 * ones are left out, which matters only for an almost even distribution. If none fits, the search pauses.
 */
const maxChecked = 4096
/** Without a grammar, only end tokens and an excluded text can be forbidden, so few attempts are enough. */
const triesWithoutGrammar = 8

export const createAnswer = (options: AnswerOptions): SampledAnswer => {
  const { prompt, sampling, constraint, contextTokens, tokenBytes, endsGeneration } = options
  const { topLogprobs, promptLogprobs, logprobIds } = sampling
  const reportsEnd = topLogprobs !== null && (promptLogprobs !== null || sampling.reportsEnd === true)
  const reported = logprobIds.length > 0 ? logprobIds : (topLogprobs ?? 0)
  const limit = Math.min(sampling.maxTokens, contextTokens - prompt.length)
  const stopIds = new Set(sampling.stopIds)
  const adjustment = createLogitAdjustment(sampling, prompt)
  const random = createRandom(sampling.seed)
  const tries = sampling.constraint === null ? triesWithoutGrammar : 1
  let length = 0
  let paused: { search: TokenSearch; logits: Float32Array } | null = null
  const isEnd = (id: number): boolean => endsGeneration(id) || stopIds.has(id)
  const allows = (id: number): boolean => {
    if (!isEnd(id)) return constraint.allows(id)
    return length >= sampling.minTokens && constraint.mayEnd() && !(sampling.ignoreEnd && endsGeneration(id))
  }
  const onlyAllowed = createIdMask(sampling.allowedIds)
  const adjusted = <Result>(given: Float32Array, sample: (logits: Float32Array) => Result): Result => {
    const logits = onlyAllowed(given)
    const restore = adjustment.apply(logits)
    try {
      return sample(logits)
    } finally {
      restore()
    }
  }
  const stepOf = (id: number | null, logits: Float32Array): AnswerStep => {
    if (id === null && !constraint.mayEnd()) throw new Error('no token of the vocabulary fits the grammar')
    if (id === null) return { token: null, end: 'stop' }
    if (isEnd(id)) {
      if (!reportsEnd) return { token: null, end: 'stop' }
      return { token: null, end: 'stop', endToken: { id, logprob: tokenLogprob(logits, id, reported, tokenBytes) } }
    }
    length += 1
    constraint.accept(id)
    adjustment.accept(id)
    const token = topLogprobs === null ? { id } : { id, logprob: tokenLogprob(logits, id, reported, tokenBytes) }
    return { token, end: constraint.mustEnd() ? 'stop' : length >= limit ? 'length' : null }
  }
  return {
    isEmpty: constraint.mustEnd(),
    next(logits) {
      if (limit === 0) return { token: null, end: 'length' }
      const sampled = adjusted(logits, (used) => sampleAllowed(used, sampling, { allows, tries }, random))
      if (sampled !== null) return stepOf(sampled, logits)
      const search = createTokenSearch({ ...sampling, maxChecked, allows }, random)
      const found = adjusted(logits, (used) => search.run(used, maxChecked))
      if (found !== 'paused') return stepOf(found.id, logits)
      // The model's next step overwrites the original.
      paused = { search, logits: logits.slice() }
      return found
    },
    resume(checks) {
      if (paused === null) throw new Error('no search is paused')
      const { search: tokens, logits } = paused
      const found = adjusted(logits, (used) => tokens.run(used, checks))
      if (found === 'paused') return found
      paused = null
      return stepOf(found.id, logits)
    },
  }
}
