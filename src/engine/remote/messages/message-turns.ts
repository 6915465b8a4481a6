import { isRecord } from '../../../base/is-record.ts'
import { parseJsonText } from '../../../base/parse-json-text.ts'
import type { ChatMessage, ContentPart, ToolCall } from '../../contract.ts'

type Block =
  | { type: 'text'; text: string }
  | { type: 'image'; source: object }
  | { type: 'tool_use'; id: string; name: string; input: object }
  | { type: 'tool_result'; tool_use_id: string; content: string }

type Turn = { role: 'user' | 'assistant'; content: Block[] }

/**
 * The messages of a chat as turns of the Messages API: the instructions of the system apart, and otherwise users and the assistant
 * by turns. Results of calls are at the beginning of the turn after the calls. Empty texts, which it refuses, are left out.
 */
export const messageTurns = (messages: readonly ChatMessage[]): { system: string[]; turns: Turn[] } => {
  const system: string[] = []
  const turns: Turn[] = []
  const add = (role: Turn['role'], blocks: readonly Block[]): void => {
    const last = turns.at(-1)
    if (blocks.length === 0) return
    if (last?.role === role) last.content.push(...blocks)
    else turns.push({ role, content: [...blocks] })
  }
  for (const message of messages) {
    if (message.role === 'system') system.push(message.content)
    else add(message.role === 'assistant' ? 'assistant' : 'user', messageBlocks(message))
  }
  for (const { content } of turns) content.sort((one, other) => rank(one) - rank(other))
  return { system: system.filter((text) => text !== ''), turns }
}

/** The sort is stable, so everything else keeps its order. */
const rank = ({ type }: Block): number => (type === 'tool_result' ? 0 : 1)

const messageBlocks = ({ role, content, parts, toolCalls = [], toolCallId = '' }: ChatMessage): Block[] => {
  if (role === 'tool') return [{ type: 'tool_result', tool_use_id: callId(toolCallId), content }]
  const said = parts?.flatMap(partBlocks) ?? textBlocks(content)
  return [...said, ...toolCalls.map(callBlock)]
}

const textBlocks = (text: string): Block[] => (text.trim() === '' ? [] : [{ type: 'text', text }])

/** Models of this kind do not accept audio, so a request with any was refused. */
const partBlocks = (part: ContentPart): Block[] => {
  switch (part.type) {
    case 'text':
      return textBlocks(part.text)
    case 'image':
      return [{ type: 'image', source: imageSource(part.url) }]
    case 'audio':
      return []
  }
}

const imageSource = (url: string): object => {
  const [, type, data] = /^data:([\w.+-]+\/[\w.+-]+);base64,(.*)$/s.exec(url) ?? []
  return type === undefined ? { type: 'url', url } : { type: 'base64', media_type: type, data }
}

const callBlock = ({ id, name, arguments: text }: ToolCall): Block => ({
  ...{ type: 'tool_use', id: callId(id), name, input: readInput(text) },
})

/** Letters, digits, `_` and `-` only. The same id becomes the same. */
const callId = (id: string): string => id.replace(/[^\w-]/g, '_') || '_'

/** An object is required. What a model wrote that is none is kept as a text in one. */
const readInput = (text: string): object => {
  if (text.trim() === '') return {}
  try {
    const value = parseJsonText(text)
    return isRecord(value) ? value : { arguments: text }
  } catch {
    return { arguments: text }
  }
}
