import { ApiError } from '../../../base/api-error.ts'
import { array, isObject, object, unset } from '../../../http/schema/containers.ts'
import { Problem, wrongType } from '../../../http/schema/problem.ts'
import { boolean, oneOf, string } from '../../../http/schema/scalars.ts'
import { type JsonSchema, type Schema, schema } from '../../../http/schema/schema.ts'
import { byField } from '../../../http/schema/variants.ts'
import type { OfferedTool } from '../../generation/request/calling.ts'

const functionName = string({ pattern: '^[a-zA-Z0-9_-]+$', maxLength: 64 })
const description = unset(string())
const parametersJson: JsonSchema = { type: 'object', description: 'A JSON Schema for the arguments.' }
const anyObject: Schema<Record<string, unknown>> = schema(parametersJson, (value) => {
  if (!isObject(value)) throw wrongType('an object', value)
  return value
})

const functionFields = object({
  name: functionName,
  description,
  parameters: unset(anyObject),
  strict: unset(boolean),
})

type FunctionFields = ReturnType<typeof functionFields>
const toolFields = object({ type: oneOf('function'), function: functionFields })

const offered = ({ name, description, parameters, strict }: FunctionFields): OfferedTool => ({
  name,
  description: description ?? null,
  parameters: parameters ?? null,
  strict: strict ?? false,
})

/** Custom tools take free text, which helix-v1 was not trained on: refused by name. */
const custom: Schema<never> = schema({ not: {}, description: 'Custom tools are not supported.' }, () => {
  throw new Problem((path) => ApiError.of('unsupported_value', { path, value: 'custom' }, { param: path })).under(
    'type',
  )
})

const max = 128
const toolList = array(byField('type', { function: toolFields, custom }), { min: 1, max: max })
export const tools: Schema<OfferedTool[]> = schema(toolList.json, (value) => {
  const list = toolList(value).map((tool) => offered(tool.function))
  refuseDoubles(list, (index) => `[${index}].function.name`)
  return list
})

const functionList = array(functionFields, { min: 1, max: max })
/** The older spelling of `tools`. */
export const functions: Schema<OfferedTool[]> = schema(functionList.json, (value) => {
  const list = functionList(value).map(offered)
  refuseDoubles(list, (index) => `[${index}].name`)
  return list
})

const refuseDoubles = (list: readonly OfferedTool[], place: (index: number) => string): void => {
  const index = list.findIndex(({ name }, own) => list.findIndex((other) => other.name === name) !== own)
  if (index === -1) return
  const name = list[index]?.name ?? ''
  throw new Problem((path) => ApiError.of('duplicate_function', { name }, { param: `${path}${place(index)}` }))
}
