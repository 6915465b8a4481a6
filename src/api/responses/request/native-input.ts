import { builtInToolOfItem } from '../../../config/built-in-tools.ts'
import type { ChatMessage, NativeItem, NativeResponses } from '../../../engine/contract.ts'
import { mentionsJson, withJsonInstruction } from '../../generation/request/json-instruction.ts'
import type {
  ConversationItem,
  InputMedia,
  InputMessage,
  InputText,
  OutputMessage,
  ReasoningItem,
  ToolOutput,
} from '../items.ts'
import { builtInSize } from './built-in-size.ts'
import type { ResponseOptions } from './responses-request.ts'

/** A longer prompt is translated, unless it needs tools of the upstream: it would be kept twice. */
const maxCharacters = 2_000_000

/**
 * The whole conversation as an upstream with this API is sent it; null if there is none. `messages`: the same in the form of a chat.
 */
export const nativeInput = (
  { native, instructions, wantsJsonWord }: Pick<ResponseOptions, 'native' | 'instructions' | 'wantsJsonWord'>,
  items: readonly ConversationItem[],
  messages: readonly ChatMessage[],
): NativeResponses | null => {
  if (native === null) return null
  const { members } = native
  const builtInTools = [
    ...new Set([...native.builtInTools, ...items.flatMap(({ type }) => builtInToolOfItem(type) ?? [])]),
  ]
  const input = items.flatMap(nativeItem)
  const length = input.reduce((sum, { json }) => sum + json.length, 0)
  if (length > maxCharacters && builtInTools.length === 0) return null
  const told = wantsJsonWord && !mentionsJson(messages) ? jsonInstruction(instructions) : instructions
  const own: Record<string, string> = told === null ? {} : { instructions: JSON.stringify(told) }
  return { api: 'responses', input, members: { ...own, ...members }, builtInTools }
}

const jsonInstruction = (instructions: string | null): string =>
  withJsonInstruction([{ role: 'system', content: instructions ?? '' }])
    .map(({ content }) => content)
    .join('')

const nativeItem = (item: ConversationItem): NativeItem[] => {
  switch (item.type) {
    case 'message':
      return [{ json: JSON.stringify(item.role === 'assistant' ? saidMessage(item) : spokenMessage(item)) }]
    case 'reasoning':
      return reasoningItem(item)
    case 'function_call':
    case 'custom_tool_call':
      return [{ json: JSON.stringify(item) }]
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ json: JSON.stringify({ type: item.type, call_id: item.call_id, output: outputOf(item) }) }]
    default: {
      const json = JSON.stringify(item)
      return [{ json, ...builtInSize(item, json) }]
    }
  }
}

const outputOf = ({ output }: ToolOutput) => (typeof output === 'string' ? output : output.map(inputPart))

/** Without the id that it has here: upstreams know only those of their own answers. */
const spokenMessage = ({ role, content }: InputMessage) => ({ type: 'message', role, content: content.map(inputPart) })

const inputPart = (part: InputText | InputMedia): object => {
  if (part.type === 'input_text') return part
  const { media, ...shown } = part
  // Of a stored item, only an address can be sent again; others were refused.
  if (media === undefined) return part.type === 'input_image' ? imagePart(part.image_url, part.detail) : shown
  return media.type === 'image'
    ? imagePart(media.url, media.detail ?? 'auto')
    : { type: 'input_audio', input_audio: { data: media.data, format: media.format } }
}

const imagePart = (url: string, detail: string) => ({ type: 'input_image', detail, image_url: url })

const saidMessage = ({ id, type, status, role, phase, content }: OutputMessage) => ({
  ...{ id, type, status, role, phase },
  content: content.map((part) =>
    part.type === 'refusal' ? part : { type: part.type, text: part.text, annotations: part.annotations },
  ),
})

/** Reasoning of which nothing is left is no longer known to anybody. */
const reasoningItem = ({
  id,
  type,
  summary,
  content = [],
  encrypted_content: encrypted,
}: ReasoningItem): NativeItem[] => {
  const own = { id, type, summary }
  const isEncrypted = typeof encrypted === 'string' && encrypted !== ''
  if (!isEncrypted && content.length === 0 && summary.length === 0) return []
  const withText = content.length === 0 ? own : { ...own, content }
  return [
    {
      json: JSON.stringify(isEncrypted ? { ...withText, encrypted_content: encrypted } : withText),
      encrypted: isEncrypted ? JSON.stringify({ ...own, encrypted_content: encrypted }) : null,
      ...(isEncrypted ? { furtherBytes: encrypted.length } : {}),
    },
  ]
}
