import type { PreparedPrompt, ServedModel } from '../../../engine/contract.ts'
import type { PromptSize } from '../prompt/prompts.ts'
import type { GenerationRequest } from '../request/generation-request.ts'
import { unknownAnswerTokens } from './estimate-tokens.ts'

/**
 * Lowers a token limit to what fits the context, but not below one token. If only the upstream can count, the size of the
 * prompt is a guess: the limit stays high enough for most answers, and is lowered again if the upstream says what fits.
 */
export const lowerTokenLimit = <Request extends Pick<GenerationRequest, 'sampling'>>(
  request: Request,
  { contextTokens }: Pick<ServedModel, 'contextTokens'>,
  { tokens, isExact }: PromptSize,
): Request => {
  const { sampling } = request
  const { maxTokens } = sampling
  if (maxTokens === null) return request
  const least = isExact ? 1 : unknownAnswerTokens
  const left = contextTokens === null ? maxTokens : Math.max(least, contextTokens - tokens)
  const lowered = { ...sampling, maxTokens: Math.min(maxTokens, left) }
  return { ...request, sampling: isExact ? lowered : { ...lowered, mayLowerLimit: true } }
}

/**
 * If only the upstream can count tokens, the reservation of a request without a token limit, or with one that may be
 * lowered, becomes the upstream's limit: nothing else stops its answer.
 */
export const limitUpstream = <Request extends Pick<GenerationRequest, 'sampling' | 'n'>>(
  request: Request,
  { promptTokens }: Pick<PreparedPrompt, 'promptTokens'>,
  /** For all choices together. */
  reservedTokens: number,
): Request => {
  const { sampling, n } = request
  if (promptTokens !== null || (sampling.maxTokens !== null && !sampling.mayLowerLimit)) return request
  const maxTokens = Math.max(1, Math.floor(reservedTokens / n))
  return { ...request, sampling: { ...sampling, maxTokens, mayLowerLimit: true } }
}
