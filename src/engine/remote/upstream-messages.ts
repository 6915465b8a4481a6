import { createHash } from 'node:crypto'
import type { ChatMessage, ContentPart } from '../contract.ts'
import type { UpstreamDialect } from './upstream-kinds.ts'

/** How an upstream wants the messages of a chat. */
export type MessageOptions = Pick<UpstreamDialect, 'sendsReasoning' | 'hasShortCallIds'>

export const messagesJson = (messages: readonly ChatMessage[], options: MessageOptions): string =>
  JSON.stringify(messages.map((message) => messageJson(message, options)))

export const messageJson = (
  { role, content, parts, name, reasoning, toolCalls, toolCallId }: ChatMessage,
  { sendsReasoning, hasShortCallIds }: MessageOptions,
) => ({
  role,
  content: parts?.map(partJson) ?? (content === '' && toolCalls !== undefined ? null : content),
  name,
  reasoning_content: sendsReasoning ? reasoning : undefined,
  tool_calls: toolCalls?.map((call) => ({
    id: hasShortCallIds ? shortId(call.id) : call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  })),
  tool_call_id: toolCallId === undefined || !hasShortCallIds ? toolCallId : shortId(toolCallId),
})

const partJson = (part: ContentPart) => {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: { url: part.url, detail: part.detail } }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } }
  }
}

const shortLength = 9

/** The same for the same id, so that a call and its result still belong together. */
const shortId = (id: string): string => {
  if (/^[A-Za-z0-9]{9}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, shortLength)
}
