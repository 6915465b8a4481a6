import { ApiError } from '../../base/errors.ts'
import type { ChatMessage, ChatRole } from '../../engine/contract.ts'
import { array, at, isObject, object, optional } from '../../http/schema/containers.ts'
import { missing, Problem, unsupportedParameter, wrongType } from '../../http/schema/problem.ts'
import { notAmong, oneOf, type Schema, string } from '../../http/schema/scalars.ts'

/** One message of the conversation, as text: content parts are joined by line breaks, `developer` is `system`. */
export const message: Schema<ChatMessage> = (value) => {
  if (!isObject(value)) throw wrongType('an object', value)
  if (value.role === undefined) throw missing().under('role')
  const role = under('role', () => wireRole(value.role))
  return roleSchemas[role](value)
}

const wireRole = oneOf('developer', 'system', 'user', 'assistant', 'tool', 'function')
const roleOnly: Schema<unknown> = (value) => value

/** Holds null or nothing until the issue that serves the field. */
const absent: Schema<undefined> = (value) => {
  if (value !== null) throw unsupportedParameter()
  return undefined
}

const text = string()
const textPart = object({ type: oneOf('text'), text, prompt_cache_breakpoint: optional(absent) })

/** Part types a client may know from larger models: refused by name, never dropped. */
const partTypes = ['text', 'image_url', 'input_audio', 'file', 'refusal'] as const

const part: Schema<string> = (value) => {
  if (!isObject(value)) throw wrongType('an object', value)
  const { type } = value
  if (type === undefined) throw missing().under('type')
  if (typeof type !== 'string') throw wrongType('a string', type).under('type')
  if (type === 'text') return textPart(value).text
  if (!partTypes.some((known) => known === type)) throw notAmong(type, partTypes).under('type')
  throw unsupportedValue(type).under('type')
}

const parts = array(part, { min: 1 })

const content: Schema<string> = (value) => {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return parts(value).join('\n')
  throw wrongType('one of a string or array of objects', value)
}

const assistantContent: Schema<string> = (value) => {
  if (value !== null) return content(value)
  throw new Problem((path) => ApiError.of('assistant_without_content', { path }, { param: path }))
}

const name = optional(string({ maxLength: 64 }))
const spoken = object({ role: roleOnly, content, name })
const unserved = {
  refusal: optional(absent),
  audio: optional(absent),
  function_call: optional(absent),
  tool_calls: optional(absent),
}
const assistantFields = object({ role: roleOnly, content: assistantContent, name, ...unserved })

/** What is not served comes first: beside tool calls the content is rightly missing, and not what stands in the way. */
const assistant: typeof assistantFields = (value) => {
  if (isObject(value))
    for (const [field, schema] of Object.entries(unserved))
      if (value[field] !== undefined) under(field, () => schema(value[field]))
  return assistantFields(value)
}

const as =
  (role: ChatRole, schema: typeof spoken | typeof assistantFields): Schema<ChatMessage> =>
  (value) => {
    const read = schema(value)
    return { role, content: read.content, ...(read.name === undefined ? {} : { name: read.name }) }
  }

const unsupportedValue = (value: string): Problem =>
  new Problem((path) => ApiError.of('unsupported_value', { path, value }, { param: path }))

const roleSchemas: Record<ReturnType<typeof wireRole>, Schema<ChatMessage>> = {
  developer: as('system', spoken),
  system: as('system', spoken),
  user: as('user', spoken),
  assistant: as('assistant', assistant),
  // Only an answer to `tool_calls` may have this role, and those are not served yet.
  tool() {
    throw new Problem((path) =>
      ApiError.of('unexpected_tool_message', {}, { param: `${path.replace('[', '.[')}.role` }),
    )
  },
  function() {
    throw unsupportedValue('function').under('role')
  },
}

const under = <Value>(step: string, read: () => Value): Value => {
  try {
    return read()
  } catch (error) {
    throw at(error, step)
  }
}
