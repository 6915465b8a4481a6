import type { TokenLogprob } from '../contract.ts'
import type { FullSampling } from '../sampling.ts'
import { createLogitAdjustment } from './sampling/adjust-logits.ts'
import type { AnswerConstraint } from './sampling/answer-constraint.ts'
import { createRandom } from './sampling/random.ts'
import { sampleToken } from './sampling/sample-token.ts'
import { tokenLogprob } from './sampling/token-logprob.ts'

/** The result of one model step for an answer: a token, its end, or both. */
export type AnswerStep = {
  token: { id: number; logprob?: TokenLogprob } | null
  end: 'stop' | 'length' | null
}

export interface Answer {
  /** No token is allowed at all. */
  readonly isEmpty: boolean
  /** Samples from the logits after the prompt and the tokens so far. Modifies the logits and restores them. */
  next(logits: Float32Array): AnswerStep
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
 * Checking a whole vocabulary takes longer than a step of the model. Less likely tokens than these are left out, which
 * matters only for an almost even distribution.
 */
const mostCheckedByGrammar = 4096

export const createAnswer = (options: AnswerOptions): Answer => {
  const { prompt, sampling, constraint, contextTokens, tokenBytes, endsGeneration } = options
  const { topLogprobs } = sampling
  const limit = Math.min(sampling.maxTokens, contextTokens - prompt.length)
  const stopIds = new Set(sampling.stopIds)
  const adjustment = createLogitAdjustment(sampling, prompt)
  const random = createRandom(sampling.seed)
  const checks = sampling.constraint === null ? {} : { mostChecked: mostCheckedByGrammar }
  let length = 0
  const isEnd = (id: number): boolean => endsGeneration(id) || stopIds.has(id)
  const allows = (id: number): boolean => {
    if (!isEnd(id)) return constraint.allows(id)
    return length >= sampling.minTokens && constraint.mayEnd() && !(sampling.ignoreEnd && endsGeneration(id))
  }
  const sample = (logits: Float32Array): number | null => {
    const restore = adjustment.apply(logits)
    try {
      return sampleToken(logits, { ...sampling, ...checks, allows }, random)
    } finally {
      restore()
    }
  }
  return {
    isEmpty: constraint.mustEnd(),
    next(logits) {
      const id = sample(logits)
      if (id === null && !constraint.mayEnd()) throw new Error('no token of the vocabulary fits the grammar')
      if (id === null || isEnd(id)) return { token: null, end: 'stop' }
      length += 1
      constraint.accept(id)
      adjustment.accept(id)
      const token = topLogprobs === null ? { id } : { id, logprob: tokenLogprob(logits, id, topLogprobs, tokenBytes) }
      return { token, end: constraint.mustEnd() ? 'stop' : length >= limit ? 'length' : null }
    },
  }
}
