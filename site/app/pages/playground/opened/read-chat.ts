import { isRecord } from '../../../../../src/base/is-record.ts'
import type { Attachment } from '../attachments.ts'
import { stringOrEmpty } from '../saved-values.ts'
import { missingMedia, type OpenedCall, type OpenedMessage, type OpenedParts, partName } from './opened-parts.ts'
import {
  functionTool,
  join,
  listOf,
  otherFields,
  type Taken,
  takeEffort,
  takeFormat,
  takeNumbers,
  takeStops,
  takeToolChoice,
  takeTools,
} from './opened-settings.ts'
import type { RequestBody } from './request-dialect.ts'

const taken = [
  ...['messages', 'temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'presence_penalty'],
  ...['frequency_penalty', 'seed', 'stop', 'tools', 'tool_choice', 'response_format', 'logprobs', 'top_logprobs'],
  ...['return_token_ids', 'reasoning_effort'],
]

/** A body of `POST /v1/chat/completions`; null if it has no messages. */
export const readChat = (body: RequestBody): OpenedParts | null => {
  if (!Array.isArray(body.messages)) return null
  const messages = listOf(body.messages).map(readMessage)
  const { settings, leftOut } = join([
    takeNumbers({ max_completion_tokens: body.max_tokens, ...body }),
    takeStops(body.stop, 'stop'),
    takeTools(body.tools, ({ type = 'function', function: described }) =>
      type === 'function' && isRecord(described) ? functionTool(described) : null,
    ),
    takeToolChoice(body.tool_choice, { auto: 'auto', required: 'required', none: 'none' }),
    takeFormat(body.response_format, 'response_format'),
    takeEffort(body.reasoning_effort, 'reasoning_effort'),
    takeLogprobs(body),
  ])
  return {
    messages: messages.flatMap(({ message }) => message ?? []),
    settings,
    leftOut: [...messages.flatMap((each) => each.leftOut), ...leftOut, ...otherFields(body, taken)],
  }
}

const takeLogprobs = ({ logprobs, return_token_ids: ids }: RequestBody): Taken => ({
  settings: { logprobs: logprobs !== true ? 'off' : ids === true ? 'ids' : 'on' },
  leftOut: [],
})

type ReadMessage = { message: OpenedMessage | null; leftOut: readonly string[] }

const readMessage = (message: RequestBody): ReadMessage => {
  const { role, content } = message
  const { text, attachments, leftOut } = readContent(content)
  if (role === 'system' || role === 'developer') return { message: { role: 'system', text }, leftOut }
  if (role === 'user') return { message: { role, text, attachments }, leftOut }
  if (role === 'tool')
    return { message: { role: 'result', callId: stringOrEmpty(message.tool_call_id), text }, leftOut }
  if (role !== 'assistant') return { message: null, leftOut: [partName('messages', role)] }
  const lost = ['reasoning_content', 'reasoning', 'function_call', 'audio'].filter((name) =>
    isRecordOrText(message[name]),
  )
  const calls = listOf(message.tool_calls)
  const unknown = calls.filter((call) => !isRecord(call.function)).map(({ type }) => partName('tool_calls', type))
  return {
    message: { role, text, calls: calls.flatMap((call) => readCall(call) ?? []) },
    leftOut: [...leftOut, ...lost, ...unknown],
  }
}

const isRecordOrText = (value: unknown): boolean => isRecord(value) || stringOrEmpty(value) !== ''

const readCall = ({ id, function: called }: RequestBody): OpenedCall | null =>
  isRecord(called)
    ? { id: stringOrEmpty(id), name: stringOrEmpty(called.name), arguments: stringOrEmpty(called.arguments) }
    : null

type Content = { text: string; attachments: readonly Attachment[]; leftOut: readonly string[] }

const readContent = (content: unknown): Content => {
  if (!Array.isArray(content)) return { text: stringOrEmpty(content), attachments: [], leftOut: [] }
  const parts = listOf(content)
  const media = parts.flatMap((part) => readMedia(part) ?? [])
  const isText = ({ text, refusal }: RequestBody): boolean => typeof text === 'string' || typeof refusal === 'string'
  return {
    text: parts.map(({ text, refusal }) => stringOrEmpty(text) || stringOrEmpty(refusal)).join(''),
    attachments: media,
    leftOut: parts.filter((part) => !isText(part)).map(({ type }) => partName('content', type)),
  }
}

const readMedia = ({ image_url: image, input_audio: audio }: RequestBody): Attachment | null => {
  if (isRecord(image)) return missingMedia('image', image.url)
  return isRecord(audio) ? missingMedia('audio', audio.data) : null
}
