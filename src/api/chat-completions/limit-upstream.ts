import type { PreparedPrompt } from '../../engine/contract.ts'
import type { ChatRequest } from './request/request.ts'

/**
 * Where only an upstream can count, the reservation of a request without a limit of its own is the limit that the upstream
 * gets: nothing stops its answer otherwise.
 */
export const limitUpstream = <Request extends Pick<ChatRequest, 'sampling' | 'n'>>(
  request: Request,
  { promptTokens }: Pick<PreparedPrompt, 'promptTokens'>,
  /** For all choices together. */
  reservedTokens: number,
): Request => {
  const { sampling, n } = request
  if (promptTokens !== null || sampling.maxTokens !== null) return request
  return { ...request, sampling: { ...sampling, maxTokens: Math.max(1, Math.floor(reservedTokens / n)) } }
}
