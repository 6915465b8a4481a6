import { ApiError } from '../../../base/api-error.ts'
import { array, isObject, nullable, object, optional } from '../../../http/schema/containers.ts'
import { Problem, wrongType } from '../../../http/schema/problem.ts'
import { boolean, oneOf, string } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byField } from '../../../http/schema/variants.ts'
import type { OfferedTool, ToolChoice } from '../../generation/request/calling.ts'
import { ignored } from '../../generation/request/read-fields.ts'

const key = optional(ignored)
const inputSchema: Schema<Record<string, unknown>> = schema(
  { type: 'object', description: 'A JSON Schema for the input.' },
  (value) => {
    if (!isObject(value)) throw wrongType('an object', value)
    return value
  },
)
const toolFields = object({
  type: optional(nullable(string())),
  name: string({ pattern: '^[a-zA-Z0-9_-]{1,128}$' }),
  description: optional(string()),
  input_schema: inputSchema,
  strict: optional(nullable(boolean)),
  cache_control: key,
  defer_loading: key,
  eager_input_streaming: key,
  input_examples: key,
  allowed_callers: key,
})

/** Tools that the provider itself runs have a type with a date, such as `web_search_20250305`, and no schema. */
const tool: Schema<OfferedTool> = schema(toolFields.json, (value) => {
  const { type = null } = isObject(value) ? value : {}
  if (typeof type === 'string' && type !== 'custom')
    throw new Problem((path) =>
      ApiError.of('unsupported_value', { path, value: type.slice(0, 64) }, { param: path }),
    ).under('type')
  const { name, description = null, input_schema: parameters, strict } = toolFields(value)
  return { name, description, parameters, strict: strict ?? false }
})

const list = array(tool, { max: 1024 })
export const tools: Schema<OfferedTool[]> = schema(list.json, (value) => {
  const read = list(value)
  const names = new Set<string>()
  for (const [index, { name }] of read.entries()) {
    if (names.has(name))
      throw new Problem((path) => ApiError.of('duplicate_function', { name }, { param: `${path}[${index}].name` }))
    names.add(name)
  }
  return read
})

/** `parallel`: whether one answer may contain several calls. */
export type MessagesToolChoice = { choice: ToolChoice; parallel: boolean }

const single = optional(nullable(boolean))
const auto = object({ type: oneOf('auto'), disable_parallel_tool_use: single })
const any = object({ type: oneOf('any'), disable_parallel_tool_use: single })
const named = object({ type: oneOf('tool'), name: string({ minLength: 1 }), disable_parallel_tool_use: single })
const none = object({ type: oneOf('none') })

export const toolChoice: Schema<MessagesToolChoice> = byField('type', {
  auto: schema(
    auto.json,
    (value): MessagesToolChoice => ({ choice: { mode: 'auto' }, parallel: isParallel(auto(value)) }),
  ),
  any: schema(
    any.json,
    (value): MessagesToolChoice => ({ choice: { mode: 'required' }, parallel: isParallel(any(value)) }),
  ),
  tool: schema(named.json, (value): MessagesToolChoice => {
    const { name } = named(value)
    return { choice: { mode: 'named', name }, parallel: false }
  }),
  none: schema(none.json, (value): MessagesToolChoice => {
    none(value)
    return { choice: { mode: 'none' }, parallel: true }
  }),
})

const isParallel = ({ disable_parallel_tool_use }: { disable_parallel_tool_use?: boolean | null }): boolean =>
  disable_parallel_tool_use !== true
