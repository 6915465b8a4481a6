import type { ServedModel } from '../../engine/contract.ts'
import { unknownAnswerTokens } from './most-tokens.ts'
import type { ChatRequest } from './request/request.ts'

type Asked = Pick<ChatRequest, 'sampling' | 'n' | 'stream' | 'returnTokenIds'>

/** What is around the choices, and around each of them: the frame, the role, the finish, the usage. */
const frameBytes = 4096
const choiceBytes = 1024
/** An event for each token, with its padding and the text of a longish token. */
const eventBytes = 512
/** A longish token in a document, with what JSON escapes of it. */
const textBytes = 32
/** A token with its bytes and its probability, and each of its alternatives. */
const logprobBytes = 256
const idBytes = 8

/** The most that an answer may take in its recording, with tokens of the usual length. */
export const maxRecordingBytes = (
  { sampling, n, stream, returnTokenIds }: Asked,
  { contextTokens }: Pick<ServedModel, 'contextTokens'>,
): number => {
  const longest = contextTokens ?? Number.POSITIVE_INFINITY
  const tokens = Math.min(sampling.maxTokens ?? contextTokens ?? unknownAnswerTokens, longest)
  const logprobs = sampling.topLogprobs === null ? 0 : logprobBytes * (1 + sampling.topLogprobs)
  const ids = returnTokenIds ? idBytes : 0
  const tokenBytes = (stream ? eventBytes : textBytes) + logprobs + ids
  const promptIds = returnTokenIds ? idBytes * (contextTokens ?? 0) : 0
  return frameBytes + promptIds + n * (choiceBytes + tokens * tokenBytes)
}
