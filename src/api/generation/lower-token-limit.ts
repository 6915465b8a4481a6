import type { PreparedPrompt, ServedModel } from '../../engine/contract.ts'
import type { ReceivedRequest } from '../chat-completions/request/read-request.ts'
import { guessTokens, unknownAnswerTokens } from './estimate-tokens.ts'

/**
 * Lowers a token limit to what fits the context, but not below one token. If only the upstream can count, the prompt is a
 * guess: the limit stays high enough for most answers, and is lowered again if the upstream says what fits.
 */
export const lowerTokenLimit = <Request extends Pick<ReceivedRequest, 'sampling' | 'messagesBytes'>>(
  request: Request,
  { contextTokens }: Pick<ServedModel, 'contextTokens'>,
  { promptTokens }: Pick<PreparedPrompt, 'promptTokens'>,
): Request => {
  const { sampling, messagesBytes } = request
  const { maxTokens } = sampling
  if (maxTokens === null) return request
  if (promptTokens !== null) {
    const left = contextTokens === null ? maxTokens : Math.max(1, contextTokens - promptTokens)
    return { ...request, sampling: { ...sampling, maxTokens: Math.min(maxTokens, left) } }
  }
  const left =
    contextTokens === null ? maxTokens : Math.max(unknownAnswerTokens, contextTokens - guessTokens(messagesBytes))
  return { ...request, sampling: { ...sampling, maxTokens: Math.min(maxTokens, left), mayLowerLimit: true } }
}
