import { parseJsonText } from '../../base/parse-json-text.ts'
import type { Shape } from '../../operations/shape.ts'
import type { ListedCompletion } from '../../store/contract.ts'
import type { storedCompletionSchema } from './response-schema.ts'

/** The JSON of responses: a completion as it was stored, with the metadata it has now. */
export const completionJson = ({ id, completion, metadata }: ListedCompletion) => {
  const stored = asCompletion(parseJsonText(completion))
  return { ...stored, id, metadata }
}

/** True because the column is written from such answers only. */
const asCompletion = (value: unknown): Shape<typeof storedCompletionSchema> =>
  value as Shape<typeof storedCompletionSchema>

type SentPart = { type: string; text?: string }
type SentMessage = { role: string; content?: string | SentPart[] | null }

export const readMessages = (messages: string): readonly SentMessage[] => asMessages(parseJsonText(messages))

/** True because the column is written from checked requests only. */
const asMessages = (value: unknown): readonly SentMessage[] => value as readonly SentMessage[]

/** A message as it was sent, except that its content is always text; the parts are in a field of their own. */
export const messageJson = (completionId: string, index: number, message: SentMessage) => {
  const { content = null } = message
  return {
    name: null,
    refusal: null,
    ...message,
    id: `${completionId}-${index}`,
    content: Array.isArray(content) ? joinTexts(content) : content,
    content_parts: Array.isArray(content) ? content : null,
  }
}

const joinTexts = (parts: SentPart[]): string | null => {
  const texts = parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
  return texts.length === 0 ? null : texts.join('\n')
}
