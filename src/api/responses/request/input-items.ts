import { ApiError } from '../../../base/api-error.ts'
import { newId } from '../../../base/ids.ts'
import { type BuiltInItemType, builtInItemTypes } from '../../../config/built-in-tools.ts'
import { array, isObject, nullable, object, optional } from '../../../http/schema/containers.ts'
import { missing, Problem, wrongType } from '../../../http/schema/problem.ts'
import { oneOf, string } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byField, byType } from '../../../http/schema/variants.ts'
import type { UnreadPart } from '../../generation/request/media/unread-part.ts'
import { ignored } from '../../generation/request/read-fields.ts'
import type {
  BuiltInItem,
  InputItem,
  InputMedia,
  InputMessage,
  InputText,
  OutputMessage,
  ReasoningItem,
  ReasoningText,
  ToolOutput,
} from '../items.ts'
import { inputContent, kept, outputContent, toolOutput, userContent } from './input-content.ts'
import { toInputMedia } from './input-media.ts'

/** The items of `input`. Each gets an id, so that it can be listed and referred to once it is stored. */
const id = optional(nullable(string({ minLength: 1, maxLength: 64 })))
const key = optional(ignored)
const name = string({ minLength: 1, maxLength: 128 })
const callId = string({ minLength: 1, maxLength: 64 })

/** What clients send back with the items of an earlier response. */
const echoes = { status: key, created_by: key }

const spokenFields = object({ type: optional(oneOf('message')), role: string(), content: inputContent, id, ...echoes })
const spoken = (role: 'system' | 'developer'): Schema<InputMessage> =>
  schema(spokenFields.json, (value) => {
    const { id: sent, content } = spokenFields(value)
    return { id: sent ?? newId('msg'), type: 'message', status: 'completed', content, role }
  })

/** A message of the user whose images and audio are not read yet. */
type UnreadMessage = Omit<InputMessage, 'content'> & { content: (InputText | UnreadPart)[] }
type UnreadOutput = Omit<ToolOutput, 'output'> & { output: string | (InputText | UnreadPart)[] }
type UnreadItem = InputItem | UnreadMessage | UnreadOutput

const userFields = object({ type: optional(oneOf('message')), role: string(), content: userContent, id, ...echoes })
const user: Schema<UnreadMessage> = schema(userFields.json, (value) => {
  const { id: sent, content } = userFields(value)
  return { id: sent ?? newId('msg'), type: 'message', status: 'completed', content, role: 'user' }
})

const assistantFields = object({
  type: optional(oneOf('message')),
  role: string(),
  content: outputContent,
  phase: optional(kept),
  id,
  ...echoes,
})
const assistant: Schema<OutputMessage> = schema(assistantFields.json, (value) => {
  const { id: sent, content, phase } = assistantFields(value)
  return {
    ...{ id: sent ?? newId('msg'), type: 'message', status: 'completed', content, role: 'assistant' },
    ...(typeof phase === 'string' ? { phase } : {}),
  }
})

const message = byField('role', {
  user,
  assistant,
  system: spoken('system'),
  developer: spoken('developer'),
})

/** Who made a call, in which namespace, and what parsing helpers of official libraries add. */
const callEchoes = { ...echoes, caller: key, namespace: key, async: key, parsed_arguments: key }

const functionCallFields = object({
  type: oneOf('function_call'),
  call_id: callId,
  name,
  arguments: string(),
  id,
  ...callEchoes,
})
const functionCall: Schema<InputItem> = schema(functionCallFields.json, (value) => {
  const read = functionCallFields(value)
  return {
    id: read.id ?? newId('fc'),
    type: 'function_call',
    status: 'completed',
    arguments: read.arguments,
    call_id: read.call_id,
    name: read.name,
  }
})

const customCallFields = object({
  type: oneOf('custom_tool_call'),
  call_id: callId,
  name,
  input: string(),
  id,
  ...callEchoes,
})
const customCall: Schema<InputItem> = schema(customCallFields.json, (value) => {
  const read = customCallFields(value)
  return {
    id: read.id ?? newId('ctc'),
    type: 'custom_tool_call',
    status: 'completed',
    call_id: read.call_id,
    input: read.input,
    name: read.name,
  }
})

const outputSchema = (type: 'function_call_output' | 'custom_tool_call_output'): Schema<UnreadOutput> => {
  const fields = object({
    type: oneOf(type),
    call_id: callId,
    output: toolOutput,
    id,
    name: key,
    namespace: key,
    caller: key,
    ...echoes,
  })
  return schema(fields.json, (value) => {
    const { id: sent, call_id, output } = fields(value)
    const kind = type === 'function_call_output' ? 'fco' : 'ctco'
    return { id: sent ?? newId(kind), type, status: 'completed', call_id, output }
  })
}

const reasoningText: Schema<ReasoningText> = object({ type: oneOf('reasoning_text'), text: string() })
const reasoningFields = object({
  type: oneOf('reasoning'),
  id,
  summary: array(object({ type: oneOf('summary_text'), text: string() }), { max: 1000 }),
  content: optional(nullable(array(reasoningText, { max: 1000 }))),
  encrypted_content: optional(nullable(string())),
  ...echoes,
})
const reasoning: Schema<ReasoningItem> = schema(reasoningFields.json, (value) => {
  const { id: sent, summary, content, encrypted_content: encrypted } = reasoningFields(value)
  return {
    ...{ id: sent ?? newId('rs'), type: 'reasoning', summary, ...(content ? { content } : {}) },
    ...(encrypted ? { encrypted_content: encrypted } : {}),
    status: 'completed',
  }
})

const referenceFields = object({
  type: optional(nullable(oneOf('item_reference'))),
  id: string({ minLength: 1, maxLength: 64 }),
})
const reference: Schema<InputItem> = schema(referenceFields.json, (value) => ({
  type: 'item_reference',
  id: referenceFields(value).id,
}))

/** Whether they are accepted depends on the model, see `refuseBuiltIns`. */
const builtIn = (type: BuiltInItemType): Schema<BuiltInItem> =>
  schema(
    { type: 'object', description: `Accepted only if the operator allows the tool for an upstream of the model.` },
    (value) => {
      if (!isObject(value)) throw wrongType('an object', value)
      return { ...value, id: typeof value.id === 'string' ? value.id : newId('fc'), type }
    },
  )

/** Refused by name, never dropped silently. */
const unserved = (type: string): Schema<never> =>
  schema({ not: {}, description: `Items of type ${type} are not supported.` }, () => {
    throw new Problem((path) => ApiError.of('unsupported_value', { path, value: type }, { param: path })).under('type')
  })
const unservedTypes = ['tool_search_call', 'tool_search_output', 'compaction']

const typed: Schema<UnreadItem> = byField('type', {
  message,
  function_call: functionCall,
  function_call_output: outputSchema('function_call_output'),
  custom_tool_call: customCall,
  custom_tool_call_output: outputSchema('custom_tool_call_output'),
  reasoning,
  item_reference: reference,
  ...Object.fromEntries(builtInItemTypes.map((type) => [type, builtIn(type)])),
  ...Object.fromEntries(unservedTypes.map((type) => [type, unserved(type)])),
})

/** A message or a reference may omit its type. */
const item: Schema<UnreadItem> = schema(typed.json, (value) => {
  if (!isObject(value)) throw wrongType('an object', value)
  if (value.type !== undefined && value.type !== null) return typed(value)
  if (value.role !== undefined) return message(value)
  if (value.id !== undefined) return reference(value)
  throw missing().under('type')
})

/** As for the messages of a chat. */
const maxItems = 10_000
const text = string()
const list = array(item, { max: maxItems })

export const input: Schema<InputItem[]> = byType('one of a string or array of objects', {
  string: schema(text.json, (value): InputItem[] => [
    {
      id: newId('msg'),
      type: 'message',
      status: 'completed',
      content: [{ type: 'input_text', text: text(value) }],
      role: 'user',
    },
  ]),
  array: schema(list.json, (value) => list(value).map(readMedia)),
})

const readMedia = (read: UnreadItem, index: number): InputItem => {
  const readParts = (parts: readonly (InputText | InputMedia | UnreadPart)[], member: string) =>
    parts.map((part, place) =>
      part.type === 'unread' ? toInputMedia(part.read(['input', index, member, place])) : part,
    )
  if (isUnreadMessage(read)) return { ...read, content: readParts(read.content, 'content') }
  if (!isUnreadOutput(read)) return read
  return { ...read, output: typeof read.output === 'string' ? read.output : readParts(read.output, 'output') }
}

const isUnreadMessage = (item: UnreadItem): item is UnreadMessage => item.type === 'message' && item.role === 'user'
const isUnreadOutput = (item: UnreadItem): item is UnreadOutput =>
  item.type === 'function_call_output' || item.type === 'custom_tool_call_output'
