import type { PreparedPrompt } from '../../engine/contract.ts'
import type { GenerationRequest } from './request/generation-request.ts'

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
