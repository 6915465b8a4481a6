import { isRecord } from '../../../../../src/base/is-record.ts'
import { stringOrEmpty } from '../saved-values.ts'
import { missingMedia, type OpenedCall, type OpenedMessage, type OpenedParts, partName } from './opened-parts.ts'
import {
  functionTool,
  join,
  listOf,
  otherFields,
  takeEffort,
  takeFormat,
  takeNumbers,
  takeToolChoice,
  takeTools,
} from './opened-settings.ts'
import type { RequestBody } from './request-dialect.ts'

const taken = [
  ...['input', 'instructions', 'temperature', 'top_p', 'max_output_tokens', 'tools', 'tool_choice', 'text'],
  ...['include', 'background', 'reasoning'],
]

/** A body of `POST /v1/responses`; null if it has no input, but only continues a stored response. */
export const readResponse = (body: RequestBody): OpenedParts | null => {
  const { input, instructions } = body
  if (typeof input !== 'string' && !Array.isArray(input)) return null
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input)
  const { messages, leftOut: lost } = readItems(items)
  const text = isRecord(body.text) ? body.text : {}
  const reasoning = isRecord(body.reasoning) ? body.reasoning : {}
  const { settings, leftOut } = join([
    takeNumbers(body, { max_completion_tokens: 'max_output_tokens' }),
    takeTools(body.tools, (tool) => (tool.type === 'function' ? functionTool(tool) : null)),
    takeToolChoice(body.tool_choice, { auto: 'auto', required: 'required', none: 'none' }),
    takeFormat(text.format, 'text.format'),
    takeEffort(reasoning.effort, 'reasoning.effort'),
  ])
  const begin = stringOrEmpty(instructions)
  return {
    messages: [...(begin === '' ? [] : [{ role: 'system' as const, text: begin }]), ...messages],
    settings,
    leftOut: [
      ...lost,
      ...leftOut,
      ...(typeof text.verbosity === 'string' ? [partName('text.verbosity', text.verbosity)] : []),
      ...(typeof reasoning.summary === 'string' ? [partName('reasoning.summary', reasoning.summary)] : []),
      ...otherFields(body, taken),
    ],
  }
}

type Read = { messages: OpenedMessage[]; leftOut: string[] }

/** Calls belong to what the assistant said before them, up to the first result. */
const readItems = (items: readonly RequestBody[]): Read => {
  const messages: OpenedMessage[] = []
  const leftOut: string[] = []
  for (const item of items) {
    const call = readCall(item)
    const last = messages.at(-1)
    if (call === null) {
      const read = readItem(item)
      messages.push(...read.messages)
      leftOut.push(...read.leftOut)
    } else if (last?.role === 'assistant') messages.splice(-1, 1, { ...last, calls: [...last.calls, call] })
    else messages.push({ role: 'assistant', text: '', calls: [call] })
  }
  return { messages, leftOut }
}

const readCall = ({ type, call_id: id, name, arguments: given, input }: RequestBody): OpenedCall | null => {
  const called = { id: stringOrEmpty(id), name: stringOrEmpty(name) }
  if (type === 'function_call') return { ...called, arguments: stringOrEmpty(given) }
  // As the server shows it to models: a function with one parameter.
  return type === 'custom_tool_call' ? { ...called, arguments: JSON.stringify({ input }) } : null
}

const readItem = ({ type, role, content, call_id: callId, output }: RequestBody): Read => {
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    const { text, leftOut } = readContent(output)
    return { messages: [{ role: 'result', callId: stringOrEmpty(callId), text }], leftOut }
  }
  const { text, attachments, leftOut } = readContent(content)
  const isMessage = type === undefined || type === null || type === 'message'
  if (isMessage && (role === 'system' || role === 'developer')) return { messages: [{ role: 'system', text }], leftOut }
  if (isMessage && role === 'user') return { messages: [{ role, text, attachments }], leftOut }
  if (isMessage && role === 'assistant') return { messages: [{ role, text, calls: [] }], leftOut }
  return { messages: [], leftOut: [partName('input', type ?? 'item_reference')] }
}

const textParts: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'text', 'refusal'])

/** As the server joins them. */
const readContent = (content: unknown) => {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
  return {
    text: parts
      .filter(({ type }) => textParts.has(type))
      .map(({ text, refusal }) => stringOrEmpty(text) || stringOrEmpty(refusal))
      .join('\n'),
    attachments: parts.flatMap((part) => readMedia(part) ?? []),
    leftOut: parts.filter(({ type }) => !textParts.has(type)).map(({ type }) => partName('content', type)),
  }
}

const readMedia = ({ image_url: image, input_audio: audio }: RequestBody) =>
  typeof image === 'string' ? missingMedia('image', image) : isRecord(audio) ? missingMedia('audio', audio.data) : null
