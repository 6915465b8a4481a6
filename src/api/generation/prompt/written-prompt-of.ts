import type { WrittenPrompt } from '../../../engine/contract.ts'
import { writePrompt } from '../../../engine/remote/write-prompt.ts'
import type { GenerationRequest } from '../request/generation-request.ts'
import { answerOptionsOf } from './conversation-of.ts'

/** Shorter prompts are written for the upstream that answers, in less time than another thread takes to pass them on. */
const longBytes = 65_536

/** Where the body was parsed: a long prompt as an upstream is sent it. Null if it is short, or upstreams differ in it. */
export const writtenPromptOf = (request: Omit<GenerationRequest, 'written'>): WrittenPrompt | null => {
  const { prompt, calling } = request
  if (prompt.type !== 'chat' || prompt.messages.length === 0 || bytesOf(request) <= longBytes) return null
  // It is refused later, together with other schemas that are invalid.
  if (hasInvalidSchema(request)) return null
  const { messages } = prompt
  // Not every upstream is sent the reasoning of earlier answers.
  if (messages.some(({ reasoning }) => reasoning !== undefined)) return null
  return writePrompt({ messages, tools: calling?.shown ?? [], answer: answerOptionsOf(request) })
}

type Schemas = Pick<GenerationRequest, 'promptBytes' | 'calling' | 'format'>

const hasInvalidSchema = ({ format }: Schemas): boolean =>
  format?.source.type === 'schema' && format.source.text === null

const bytesOf = ({ promptBytes, calling, format }: Schemas): number => {
  let bytes = promptBytes
  for (const { parameters } of calling?.shown ?? []) bytes += parameters?.length ?? 0
  return bytes + (format?.source.type === 'schema' ? (format.source.text?.length ?? 0) : 0)
}
