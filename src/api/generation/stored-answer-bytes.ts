import type { ServedModel } from '../../engine/contract.ts'
import { maxRecordingBytes } from './max-recording-bytes.ts'
import { type GenerationRequest, messagesIn } from './request/generation-request.ts'

/** The text of a stream is stored once, and beside it how it was cut: less than its events. */
const isStream = false
const cutsTimes = 2
/** In the write-ahead log and in the database. */
const copies = 2
/** Of one character, in UTF-8. */
const characterBytes = 3

type StoredRequest = Pick<GenerationRequest, 'prompt' | 'sampling' | 'n' | 'returnTokenIds'>

/** What a stored answer takes on the disk at most, together with the messages that it answers. */
export const storedAnswerBytes = (
  request: StoredRequest,
  model: Pick<ServedModel, 'contextTokens'>,
  answerLimitBytes: number,
): number => {
  const characters = messagesIn(request.prompt).reduce((sum, { content }) => sum + content.length, 0)
  const answerBytes = Math.min(cutsTimes * maxRecordingBytes({ ...request, stream: isStream }, model), answerLimitBytes)
  return copies * (characterBytes * characters + answerBytes)
}
