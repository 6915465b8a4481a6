import { isRecord } from '../../../base/is-record.ts'
import { parseJsonText } from '../../../base/parse-json-text.ts'
import type { NativeResponses } from '../../../engine/contract.ts'
import { isDataUrl } from '../request/media/hide-media.ts'
import type { HookText } from './hook.ts'

/**
 * What an upstream with a Responses API is sent in addition to the texts of the messages: what built-in tools did and found, annotations, the
 * summary of reasoning that has a text too, and reasoning that led to nothing. One text for each item.
 */
export const nativeTexts = ({ input }: Pick<NativeResponses, 'input'>): HookText[] => {
  const texts: HookText[] = []
  /** Whether reasoning before this place belongs to a message. */
  let isFollowed = false
  for (const { json } of input.toReversed()) {
    const item = isSpoken(json) ? null : readItem(json)
    const type = item?.type
    const found = item === null ? '' : itemTexts(item, isFollowed).join('\n')
    if (found !== '') texts.push({ role: String(type).endsWith('_output') ? 'tool' : 'assistant', text: found })
    if (type === 'message' || type === 'function_call' || type === 'custom_tool_call') isFollowed = true
    else if (item === null || type === 'function_call_output' || type === 'custom_tool_call_output') isFollowed = false
  }
  return texts.reverse()
}

/** A message of somebody else than the assistant, as `nativeInput` writes it. Most of a long prompt is in these, and is known. */
const isSpoken = (json: string): boolean => json.startsWith('{"type":"message"')

const readItem = (json: string): Record<string, unknown> | null => {
  const item = parseJsonText(json)
  return isRecord(item) ? item : null
}

const itemTexts = ({ type, content, summary, ...rest }: Record<string, unknown>, isFollowed: boolean): string[] => {
  switch (type) {
    case 'function_call':
    case 'custom_tool_call':
    case 'function_call_output':
    case 'custom_tool_call_output':
      return []
    case 'message':
      return Array.isArray(content) ? stringsIn(content.map((part) => isRecord(part) && part.annotations)) : []
    case 'reasoning': {
      const hasText = Array.isArray(content) && content.length > 0
      if (!isFollowed) return stringsIn([summary, content])
      return hasText ? stringsIn(summary) : []
    }
    default:
      return stringsIn({ type, content, summary, ...rest })
  }
}

/** Names and marks, and what cannot be read. */
const otherNames: ReadonlySet<string> = new Set(['id', 'type', 'status', 'call_id', 'encrypted_content'])

/** All texts in a value, in order. It is only as deep as a body may be. */
const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value === '' || isDataUrl(value) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  if (!isRecord(value)) return []
  const isImage = value.type === 'image_generation_call'
  return Object.entries(value).flatMap(([name, inner]) =>
    otherNames.has(name) || (isImage && name === 'result') ? [] : stringsIn(inner),
  )
}
