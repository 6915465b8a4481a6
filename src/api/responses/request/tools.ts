import { ApiError } from '../../../base/api-error.ts'
import { array, isObject, nullable, object, optional } from '../../../http/schema/containers.ts'
import { missing, Problem, wrongType } from '../../../http/schema/problem.ts'
import { boolean, oneOf, string } from '../../../http/schema/scalars.ts'
import { type JsonSchema, type Schema, schema } from '../../../http/schema/schema.ts'
import { byField } from '../../../http/schema/variants.ts'
import type { OfferedTool } from '../../generation/request/calling.ts'
import { ignored } from '../../generation/request/read-fields.ts'
import { customParameter } from './build-messages.ts'

/** A tool that the model may call, as the response repeats it. */
export type ToolJson =
  | {
      type: 'function'
      name: string
      description: string | null
      parameters: Record<string, unknown> | null
      strict: boolean | null
    }
  | { type: 'custom'; name: string; description?: string; format: CustomFormat }
type CustomFormat = { type: 'text' } | { type: 'grammar'; syntax: 'lark' | 'regex'; definition: string }

/** A tool of the request with its index, or one of a kind that is run by the official service: the model is not shown it, unless an upstream may run it. */
export type RequestTool =
  | { tool: ToolJson; index: number }
  | { ignored: string; sent: Readonly<Record<string, unknown>>; index: number }

const toolName = string({ pattern: '^[a-zA-Z0-9_-]+$', maxLength: 64 })
const parametersJson: JsonSchema = { type: 'object', description: 'A JSON Schema for the arguments.' }
const anyObject: Schema<Record<string, unknown>> = schema(parametersJson, (value) => {
  if (!isObject(value)) throw wrongType('an object', value)
  return value
})

/** Accepted without effect: all tools are called directly, and shown from the beginning. */
const modes = { allowed_callers: optional(ignored), defer_loading: optional(ignored), output_schema: optional(ignored) }

const functionFields = object({
  type: oneOf('function'),
  name: toolName,
  description: optional(nullable(string())),
  parameters: optional(nullable(anyObject)),
  strict: optional(nullable(boolean)),
  ...modes,
})
const functionTool: Schema<ToolJson> = schema(functionFields.json, (value) => {
  const { name, description, parameters, strict } = functionFields(value)
  return {
    type: 'function',
    name,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? null,
  }
})

const format: Schema<CustomFormat> = byField('type', {
  text: object({ type: oneOf('text') }),
  grammar: object({ type: oneOf('grammar'), syntax: oneOf('lark', 'regex'), definition: string({ minLength: 1 }) }),
})
const customFields = object({
  type: oneOf('custom'),
  name: toolName,
  description: optional(string()),
  format: optional(format),
  ...modes,
})
const customTool: Schema<ToolJson> = schema(customFields.json, (value) => {
  const { name, description, format: wanted } = customFields(value)
  return {
    type: 'custom',
    name,
    ...(description === undefined ? {} : { description }),
    format: wanted ?? { type: 'text' },
  }
})

/** Coding agents always send tools of some other kind, whatever the model can do. */
const otherTool = {
  type: 'object',
  properties: { type: { type: 'string' } },
  required: ['type'],
  description:
    'Tools of other types are not shown to the model, and the header x-helix-ignored-tools names them; unless the model has upstreams with a Responses API of their own. Then they are passed on if the operator allows them, and refused otherwise.',
}
type OtherTool = { ignored: string; sent: Record<string, unknown> }
const tool: Schema<ToolJson | OtherTool> = schema(
  { anyOf: [functionTool.json, customTool.json, otherTool] },
  (value) => {
    if (!isObject(value)) throw wrongType('an object', value)
    if (value.type === undefined) throw missing().under('type')
    if (typeof value.type !== 'string') throw wrongType('a string', value.type).under('type')
    if (value.type === 'function') return functionTool(value)
    if (value.type === 'custom') return customTool(value)
    return { ignored: value.type, sent: value }
  },
)

const list = array(tool, { max: 128 })
export const tools: Schema<RequestTool[]> = schema(list.json, (value) => {
  const read = list(value).map((one, index) => ('ignored' in one ? { ...one, index } : { tool: one, index }))
  refuseDoubles(read)
  return read
})

const refuseDoubles = (read: readonly RequestTool[]): void => {
  const names = new Set<string>()
  for (const one of read) {
    if ('ignored' in one) continue
    const { name } = one.tool
    if (names.has(name))
      throw new Problem((path) => ApiError.of('duplicate_function', { name }, { param: `${path}[${one.index}].name` }))
    names.add(name)
  }
}

/** As the model is shown it: a custom tool is a function with one text. */
export const offeredTool = (tool: ToolJson): OfferedTool => {
  const { name } = tool
  if (tool.type === 'function')
    return { name, description: tool.description, parameters: tool.parameters, strict: tool.strict ?? false }
  return {
    name,
    description: customDescription(tool),
    parameters: {
      type: 'object',
      properties: { [customParameter]: customText(tool.format) },
      required: [customParameter],
      additionalProperties: false,
    },
    strict: false,
  }
}

/** A pattern is enforced. A Lark grammar is not: the model is shown it. */
const customText = (format: CustomFormat): Record<string, unknown> =>
  format.type === 'grammar' && format.syntax === 'regex'
    ? { type: 'string', pattern: anchored(format.definition) }
    : { type: 'string' }

/** The whole text must match. */
const anchored = (pattern: string): string => `^(?:${pattern})$`

const customDescription = ({ description, format }: Extract<ToolJson, { type: 'custom' }>): string | null => {
  if (format.type !== 'grammar' || format.syntax !== 'lark') return description ?? null
  const grammar = `The input must match this Lark grammar:\n${format.definition}`
  return description === undefined ? grammar : `${description}\n\n${grammar}`
}
