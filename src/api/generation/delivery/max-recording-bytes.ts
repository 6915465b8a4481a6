import type { ServedModel } from '../../../engine/contract.ts'
import type { GenerationRequest, Prompt } from '../request/generation-request.ts'
import { unknownAnswerTokens } from '../reservation/estimate-tokens.ts'

type RequestSize = Pick<GenerationRequest, 'prompt' | 'promptBytes' | 'sampling' | 'n' | 'stream' | 'returnTokenIds'>

/** The overhead of a response and of each choice: the envelope, the role, the finish, the usage. */
const frameBytes = 4096
const choiceBytes = 1024
/** One event for each token, with its padding and the text of a long token. */
const eventBytes = 512
/** A long token in a JSON response, with escapes. */
const textBytes = 32
/** A token with its bytes and its log probability, and each of its alternatives. */
const logprobBytes = 256
const idBytes = 8

/** The most that a response takes in its recording, with tokens of ordinary length or of the length that was seen. */
export const maxRecordingBytes = (
  request: RequestSize,
  { contextTokens }: Pick<ServedModel, 'contextTokens'>,
  /** What a token took in earlier recordings. */
  seenTokenBytes = 0,
): number => {
  const { sampling, n, stream, returnTokenIds } = request
  const longest = contextTokens ?? Number.POSITIVE_INFINITY
  const tokens = Math.min(sampling.maxTokens ?? contextTokens ?? unknownAnswerTokens, longest)
  const logprobs =
    sampling.topLogprobs === null ? 0 : logprobBytes * (1 + Math.max(sampling.topLogprobs, sampling.logprobIds.length))
  const ids = returnTokenIds ? idBytes : 0
  const tokenBytes = Math.max(stream ? eventBytes : textBytes, seenTokenBytes) + logprobs + ids
  const promptIds = returnTokenIds ? idBytes * (contextTokens ?? 0) : 0
  return frameBytes + promptIds + promptLogprobBytes(request, longest) + n * (choiceBytes + tokens * tokenBytes)
}

/** A token of a prompt has at least one byte, apart from those that the chat template adds. */
const promptLogprobBytes = ({ prompt, promptBytes, sampling, n }: RequestSize, contextTokens: number): number => {
  if (sampling.promptLogprobs === null) return 0
  const tokenBytes = logprobBytes * (2 + sampling.promptLogprobs)
  if (prompt.type === 'chat') return tokenBytes * contextTokens
  const prompts = prompt.prompts.length
  return (n / prompts) * tokenBytes * Math.min(promptBytes, prompts * contextTokens)
}

/** The text of a stream is stored once, with the places where it was divided, which takes less than its events. */
const isStream = false
const cutsTimes = 2
/** In the write-ahead log and in the database. */
const copies = 2
/** The bytes of one character in UTF-8. */
const characterBytes = 3

type StoredRequest = Omit<RequestSize, 'stream'>

/** What a stored answer takes on the disk at most, together with the messages that it answers. */
export const storedAnswerBytes = (
  request: StoredRequest,
  model: Pick<ServedModel, 'contextTokens'>,
  answerLimitBytes: number,
): number => {
  const answerBytes = Math.min(cutsTimes * maxRecordingBytes({ ...request, stream: isStream }, model), answerLimitBytes)
  return copies * (characterBytes * charactersIn(request.prompt) + answerBytes)
}

const charactersIn = (prompt: Prompt): number => {
  if (prompt.type !== 'chat') return 0
  return prompt.written?.characters ?? prompt.messages.reduce((sum, { content }) => sum + content.length, 0)
}
