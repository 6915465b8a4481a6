import { hash } from 'node:crypto'
import type { ChatMessage, ContentPart, NativeItem, ToolCall } from '../../contract.ts'

/**
 * The messages of a chat as items of the Responses API: calls and their results are items of their own. The reasoning of earlier answers
 * is left out, because providers accept only what they have encrypted, and chats have no place for that.
 */
export const chatItems = (messages: readonly ChatMessage[]): NativeItem[] =>
  messages.flatMap(messageItems).map((item) => ({ json: JSON.stringify(item) }))

const messageItems = ({ role, content, parts, toolCalls = [], toolCallId = '' }: ChatMessage): object[] => {
  if (role === 'tool')
    return [{ type: 'function_call_output', call_id: callId(toolCallId), output: inputParts(parts) ?? content }]
  if (role !== 'assistant') return [{ type: 'message', role, content: inputParts(parts) ?? content }]
  const said = content === '' && toolCalls.length > 0 ? [] : [{ type: 'message', role, content }]
  return [...said, ...toolCalls.map(callItem)]
}

const inputParts = (parts: readonly ContentPart[] | undefined): object[] | undefined => parts?.flatMap(inputPart)

/** Audio has no place in an item: a chat with any is not sent as one. */
const inputPart = (part: ContentPart): object[] => {
  switch (part.type) {
    case 'text':
      return [{ type: 'input_text', text: part.text }]
    case 'image':
      return [{ type: 'input_image', image_url: part.url, detail: part.detail ?? 'auto' }]
    case 'audio':
      return []
  }
}

const callItem = ({ id, name, arguments: text }: ToolCall) => ({
  ...{ type: 'function_call', call_id: callId(id), name, arguments: text },
})

const maxIdLength = 64

/** The same for the same id, so that a call and its result still belong together. */
const callId = (id: string): string => (id.length <= maxIdLength ? id : hash('sha256', id, 'base64url'))
