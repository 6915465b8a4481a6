import type { ServedModel } from '../../engine/contract.ts'
import { unknownAnswerTokens } from './estimate-tokens.ts'
import type { PromptSize } from './prompt-size.ts'
import type { GenerationRequest } from './request/generation-request.ts'

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
