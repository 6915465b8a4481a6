import { isRecord } from '../../../../../src/base/is-record.ts'
import { stringOrEmpty } from '../saved-values.ts'
import { missingMedia, type OpenedMessage, type OpenedParts, partName } from './opened-parts.ts'
import {
  functionTool,
  join,
  listOf,
  otherFields,
  takeEffort,
  takeFormat,
  takeNumbers,
  takeStops,
  takeToolChoice,
  takeTools,
} from './opened-settings.ts'
import type { RequestBody } from './request-dialect.ts'

const taken = [
  ...['messages', 'system', 'temperature', 'top_p', 'max_tokens', 'stop_sequences', 'tools', 'tool_choice'],
  ...['output_config', 'output_format'],
]

/** A body of `POST /v1/messages`; null if it has no messages. */
export const readMessages = (body: RequestBody): OpenedParts | null => {
  if (!Array.isArray(body.messages)) return null
  const system = joinText(body.system)
  const messages = listOf(body.messages).map(readMessage)
  const { tool_choice: choice, output_config: output } = body
  const config = isRecord(output) ? output : {}
  const { settings, leftOut } = join([
    takeNumbers(body, { max_completion_tokens: 'max_tokens' }),
    takeStops(body.stop_sequences, 'stop_sequences'),
    takeTools(body.tools, ({ type, input_schema: parameters, ...tool }) =>
      type === undefined || type === null || type === 'custom' ? functionTool({ ...tool, parameters }) : null,
    ),
    takeToolChoice(choice, { auto: 'auto', any: 'required', none: 'none' }),
    takeFormat(config.format ?? body.output_format, 'output_config.format'),
    takeEffort(config.effort, 'output_config.effort'),
  ])
  return {
    messages: [
      ...(system === '' ? [] : [{ role: 'system' as const, text: system }]),
      ...messages.flatMap((each) => each.messages),
    ],
    settings,
    leftOut: [
      ...messages.flatMap((each) => each.leftOut),
      ...leftOut,
      ...(isRecord(choice) && choice.disable_parallel_tool_use === true ? ['disable_parallel_tool_use'] : []),
      ...otherFields(body, taken),
    ],
  }
}

type Read = { messages: readonly OpenedMessage[]; leftOut: readonly string[] }

/** Results of tools come before what the user says in the same message. */
const readMessage = ({ role, content }: RequestBody): Read => {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
  const text = joinText(blocks)
  if (role === 'system') return { messages: [{ role, text }], leftOut: [] }
  if (role === 'assistant') {
    const calls = blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({
        id: stringOrEmpty(id),
        name: stringOrEmpty(name),
        arguments: JSON.stringify(input ?? {}),
      }))
    return { messages: [{ role, text, calls }], leftOut: otherBlocks(blocks, ['text', 'tool_use']) }
  }
  const results = blocks.filter(({ type }) => type === 'tool_result')
  const attachments = blocks.flatMap(({ type, source }) => {
    return type === 'image' && isRecord(source) ? (missingMedia('image', source.data) ?? []) : []
  })
  const isSaid = results.length === 0 || text !== '' || attachments.length > 0
  return {
    messages: [
      ...results.map((result): OpenedMessage => {
        return { role: 'result', callId: stringOrEmpty(result.tool_use_id), text: joinText(result.content) }
      }),
      ...(isSaid ? [{ role: 'user' as const, text, attachments }] : []),
    ],
    leftOut: [
      ...results.flatMap(({ content: returned }) => otherBlocks(listOf(returned), ['text'])),
      ...(results.some(({ is_error: isError }) => isError === true) ? ['is_error'] : []),
      ...otherBlocks(blocks, ['text', 'tool_result']),
    ],
  }
}

const otherBlocks = (blocks: readonly RequestBody[], known: readonly string[]): string[] =>
  blocks.filter(({ type }) => !known.includes(stringOrEmpty(type))).map(({ type }) => partName('content', type))

/** As the server joins them. */
const joinText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .flatMap(({ type, text }) => (type === 'text' ? [stringOrEmpty(text)] : []))
        .join('\n')
