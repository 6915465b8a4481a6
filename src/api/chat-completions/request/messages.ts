import { ApiError } from '../../../base/api-error.ts'
import type { ChatMessage, ToolCall } from '../../../engine/contract.ts'
import { array, nullable, object, optional } from '../../../http/schema/containers.ts'
import { missing, Problem, unsupportedParameter } from '../../../http/schema/problem.ts'
import { oneOf, string } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byField } from '../../../http/schema/variants.ts'
import { readParts, type UnreadParts } from '../../generation/request/media/unread-part.ts'
import { ignored } from '../../generation/request/read-fields.ts'
import { assistantContent, textContent, userContent } from './content.ts'
import { ignoredCallKeys, ignoredEchoes, ignoredMessageKeys } from './ignored-keys.ts'

/** The messages of a request as the engine expects them: `developer` becomes `system`, `function` becomes `tool`. */
const name = optional(string({ maxLength: 64 }))

/** Clients send null for what an answer did not have. */
const absent: Schema<undefined> = schema({ type: 'null' }, (value) => {
  if (value !== null) throw unsupportedParameter()
  return undefined
})

/** For messages that cannot have tool calls: null has no effect. */
const uncalled = { tool_calls: optional(absent), function_call: optional(absent), audio: optional(absent) }

/** A message whose images and audio are not read yet. */
type ReadMessage = ChatMessage | (Omit<ChatMessage, 'parts'> & { parts?: UnreadParts })

const spokenFields = { name, ...uncalled, ...ignoredMessageKeys, ...ignoredEchoes }
const spoken = (word: 'system' | 'developer'): Schema<ReadMessage> => {
  const fields = object({ role: oneOf(word), content: textContent, ...spokenFields })
  return schema(fields.json, (value) => {
    const read = fields(value)
    return { role: 'system', content: read.content, ...(read.name === undefined ? {} : { name: read.name }) }
  })
}

const userFields = object({ role: oneOf('user'), content: userContent, ...spokenFields })
const user: Schema<ReadMessage> = schema(userFields.json, (value) => {
  const read = userFields(value)
  return { role: 'user', ...read.content, ...(read.name === undefined ? {} : { name: read.name }) }
})

const callFields = { name: string({ minLength: 1 }), arguments: string() }
const functionCall = object(callFields)
const toolCallFields = object({
  id: string({ minLength: 1 }),
  type: oneOf('function'),
  function: object({ ...callFields, parsed_arguments: optional(ignored), provider_specific_fields: optional(ignored) }),
  ...ignoredCallKeys,
})
const toolCall = byField('type', {
  function: schema(toolCallFields.json, (value): ToolCall => {
    const call = toolCallFields(value)
    return { id: call.id, name: call.function.name, arguments: call.function.arguments }
  }),
  custom: schema({ not: {}, description: 'Custom tools are not supported.' }, (): ToolCall => {
    throw new Problem((path) => ApiError.of('unsupported_value', { path, value: 'custom' }, { param: path })).under(
      'type',
    )
  }),
})

const assistantFields = object({
  role: oneOf('assistant'),
  content: optional(nullable(assistantContent)),
  name,
  refusal: optional(nullable(string())),
  reasoning_content: optional(nullable(string())),
  tool_calls: optional(nullable(array(toolCall, { min: 1, max: 128 }))),
  function_call: optional(nullable(functionCall)),
  audio: optional(absent),
  // Citations, and what the parsing helpers of official libraries add: clients send them back with the answer.
  annotations: optional(ignored),
  parsed: optional(ignored),
  ...ignoredMessageKeys,
})

/** A call by `function_call` has no id on the wire. */
const legacyCallId = 'call_function'

const assistant: Schema<ChatMessage> = schema(assistantFields.json, (value) => {
  const read = assistantFields(value)
  const legacy = read.function_call
  const toolCalls = read.tool_calls ?? (legacy ? [{ id: legacyCallId, ...legacy }] : [])
  const content = read.content ?? read.refusal ?? (toolCalls.length > 0 ? '' : null)
  if (content === null) throw noContent(read.content === undefined)
  return {
    role: 'assistant',
    content,
    ...(read.name === undefined ? {} : { name: read.name }),
    ...(read.reasoning_content ? { reasoning: read.reasoning_content } : {}),
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
  }
})

const noContent = (isMissing: boolean): Problem =>
  isMissing
    ? missing().under('content')
    : new Problem((path) => ApiError.of('assistant_without_content', { path }, { param: path })).under('content')

const toolFields = object({
  role: oneOf('tool'),
  content: textContent,
  tool_call_id: string({ minLength: 1 }),
  name,
  ...uncalled,
  ...ignoredMessageKeys,
  ...ignoredEchoes,
})
const tool: Schema<ChatMessage> = schema(toolFields.json, (value) => {
  const { content, tool_call_id } = toolFields(value)
  return { role: 'tool', content, toolCallId: tool_call_id }
})

const functionFields = object({
  role: oneOf('function'),
  content: nullable(string()),
  name: string({ minLength: 1 }),
  ...uncalled,
  ...ignoredMessageKeys,
  ...ignoredEchoes,
})
const functionResult: Schema<ChatMessage> = schema(functionFields.json, (value) => {
  const read = functionFields(value)
  return { role: 'tool', content: read.content ?? '', name: read.name, toolCallId: legacyCallId }
})

const message = byField('role', {
  developer: spoken('developer'),
  system: spoken('system'),
  user,
  assistant,
  tool,
  function: functionResult,
})

/** An agent's conversation of a million tokens has a few thousand messages. */
const maxMessages = 10_000
const list = array(message, { min: 1, max: maxMessages })

/** Each message is valid on its own, and tool calls match their results. */
export const messages: Schema<ChatMessage[]> = schema(list.json, (value) => {
  const read = list(value).map(readMedia)
  checkCalls(read)
  return read
})

const readMedia = (message: ReadMessage, index: number): ChatMessage =>
  isRead(message) ? message : { ...message, parts: readParts(message.parts ?? [], ['messages', index, 'content']) }

const isRead = (message: ReadMessage): message is ChatMessage => message.parts === undefined

/** The result of a call directly follows the message with the call. */
const checkCalls = (conversation: readonly ChatMessage[]): void => {
  let open: { index: number; ids: Set<string>; known: Set<string> } | null = null
  for (const [index, { role, toolCalls, toolCallId }] of conversation.entries()) {
    if (role === 'tool') {
      if (open === null) throw unexpectedResult(index, toolCallId === legacyCallId)
      const id = toolCallId ?? ''
      if (!open.known.has(id))
        throw new Problem(() =>
          ApiError.of('unknown_tool_call_id', { id: id.slice(0, 64) }, param(index, 'tool_call_id')),
        )
      open.ids.delete(id)
      continue
    }
    if (open !== null && open.ids.size > 0) throw unanswered(open)
    const ids = toolCalls?.map(({ id }) => id)
    open = ids === undefined ? null : { index, ids: new Set(ids), known: new Set(ids) }
  }
  if (open !== null && open.ids.size > 0) throw unanswered(open)
}

/** An error in the conversation rather than in a single value has a path with a dot: `messages.[3].role`. */
const param = (index: number, place: 'role' | 'tool_call_id') => ({ param: `messages.[${index}].${place}` })

const unexpectedResult = (index: number, isLegacy: boolean): Problem => {
  const [role, calls] = isLegacy ? (['function', 'function_call'] as const) : (['tool', 'tool_calls'] as const)
  return new Problem(() => ApiError.of('unexpected_tool_message', { role, calls }, param(index, 'role')))
}

const unanswered = ({ index, ids }: { index: number; ids: ReadonlySet<string> }): Problem =>
  new Problem(() =>
    ApiError.of(
      'unanswered_tool_calls',
      {
        ids: [...ids]
          .slice(0, 10)
          .map((id) => id.slice(0, 64))
          .join(', '),
      },
      param(index, 'role'),
    ),
  )
