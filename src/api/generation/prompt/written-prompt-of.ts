import type { WrittenPrompt } from '../../../engine/contract.ts'
import { writePrompt } from '../../../engine/remote/write-prompt.ts'
import type { GenerationRequest } from '../request/generation-request.ts'
import { answerOptionsOf } from './conversation-of.ts'

/** A shorter prompt is written when the upstream is called, which takes less time than passing it between threads. */
const longBytes = 65_536

/**
 * Writes a long prompt as it is sent to an upstream, on the thread that parsed the body. Null if it is short, or if it
 * depends on the upstream.
 */
export const writtenPromptOf = (request: Omit<GenerationRequest, 'written'>): WrittenPrompt | null => {
  const { prompt, calling } = request
  if (prompt.type !== 'chat' || prompt.messages.length === 0 || bytesOf(request) <= longBytes) return null
  // It is refused later, together with other schemas that are invalid.
  if (hasInvalidSchema(request)) return null
  const { messages } = prompt
  // Not every upstream receives the reasoning of earlier answers.
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
