import { writePrompt } from '../../../engine/remote/write-prompt.ts'
import type { GenerationRequest } from '../request/generation-request.ts'
import { toAnswerOptions } from './build-conversation.ts'

/** A shorter prompt is written when the upstream is called, which takes less time than passing it between threads. */
const longBytes = 65_536

/** Where the body was parsed: adds a long prompt as it is sent to an upstream, unless it depends on the upstream. */
export const withWrittenPrompt = (request: GenerationRequest): GenerationRequest => {
  const { prompt, calling } = request
  if (prompt.type !== 'chat' || prompt.messages.length === 0 || bytesOf(request) <= longBytes) return request
  // It is refused later, together with other schemas that are invalid.
  if (hasInvalidSchema(request)) return request
  const { messages } = prompt
  // Not every upstream receives the reasoning of earlier answers.
  if (messages.some(({ reasoning }) => reasoning !== undefined)) return request
  const written = writePrompt({ messages, tools: calling?.shown ?? [], answer: toAnswerOptions(request) })
  return { ...request, prompt: { ...prompt, written } }
}

type Schemas = Pick<GenerationRequest, 'promptBytes' | 'calling' | 'format'>

const hasInvalidSchema = ({ format }: Schemas): boolean =>
  format?.source.type === 'schema' && format.source.text === null

const bytesOf = ({ promptBytes, calling, format }: Schemas): number => {
  let bytes = promptBytes
  for (const { parameters } of calling?.shown ?? []) bytes += parameters?.length ?? 0
  return bytes + (format?.source.type === 'schema' ? (format.source.text?.length ?? 0) : 0)
}
