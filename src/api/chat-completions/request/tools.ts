import { ApiError } from '../../../base/errors.ts'
import type { FunctionTool } from '../../../engine/contract.ts'
import { anyObjectGrammar } from '../../../grammar/any-json-grammar.ts'
import type { Grammar } from '../../../grammar/grammar.ts'
import { newPartsBudget, type PartsBudget } from '../../../grammar/json-schema-grammar.ts'
import { SchemaRefused } from '../../../grammar/schema-refused.ts'
import { array, isObject, nullable, object, optional } from '../../../http/schema/containers.ts'
import { Problem, wrongType } from '../../../http/schema/problem.ts'
import { boolean, oneOf, string } from '../../../http/schema/scalars.ts'
import { type JsonSchema, type Schema, schema } from '../../../http/schema/schema.ts'
import { byField } from '../../../http/schema/variants.ts'
import { knownSchemaGrammar } from './known-grammars.ts'

/** A function the model may call, with the grammar that its arguments keep to. */
export type OfferedTool = FunctionTool & { arguments: Grammar }

const functionName = string({ pattern: '^[a-zA-Z0-9_-]+$', maxLength: 64 })
const description = optional(string({ maxLength: 1024 }))
const parametersJson: JsonSchema = { type: 'object', description: 'A JSON Schema for the arguments.' }
const anyObject: Schema<Record<string, unknown>> = schema(parametersJson, (value) => {
  if (!isObject(value)) throw wrongType('an object', value)
  return value
})

const functionFields = object({
  name: functionName,
  description,
  parameters: optional(anyObject),
  strict: optional(nullable(boolean)),
})

type FunctionFields = ReturnType<typeof functionFields>
const toolFields = object({ type: oneOf('function'), function: functionFields })

/** All functions of a request share one budget for their grammars. `place` is where the function stands in the list. */
const offer = (list: readonly FunctionFields[], place: (problem: Problem) => Problem): OfferedTool[] => {
  const budget = newPartsBudget()
  return list.map((read, index) => {
    const { name, description, parameters, strict } = read
    try {
      return {
        name,
        description: description ?? null,
        parameters: parameters ?? null,
        arguments: argumentsGrammar(name, parameters ?? {}, { strict: strict ?? false, budget }),
      }
    } catch (error) {
      throw error instanceof Problem ? place(error).under(index) : error
    }
  })
}

/** Custom tools take free text, which helix-v1 was never shown: refused by name. */
const custom: Schema<never> = schema({ not: {}, description: 'Custom tools are refused.' }, () => {
  throw new Problem((path) => ApiError.of('unsupported_value', { path, value: 'custom' }, { param: path })).under(
    'type',
  )
})

const most = 128
const toolList = array(byField('type', { function: toolFields, custom }), { min: 1, max: most })
export const tools: Schema<OfferedTool[]> = schema(toolList.json, (value) => {
  const fields = toolList(value).map((tool) => tool.function)
  const list = offer(fields, (problem) => problem.under('function'))
  refuseDoubles(list, (index) => `[${index}].function.name`)
  return list
})

const functionList = array(functionFields, { min: 1, max: most })
/** The older spelling of `tools`. */
export const functions: Schema<OfferedTool[]> = schema(functionList.json, (value) => {
  const list = offer(functionList(value), (problem) => problem)
  refuseDoubles(list, (index) => `[${index}].name`)
  return list
})

const refuseDoubles = (list: readonly OfferedTool[], place: (index: number) => string): void => {
  const index = list.findIndex(({ name }, own) => list.findIndex((other) => other.name === name) !== own)
  if (index === -1) return
  const name = list[index]?.name ?? ''
  throw new Problem((path) => ApiError.of('duplicate_function', { name }, { param: `${path}${place(index)}` }))
}

/**
 * With `strict` the arguments keep to the schema, or the request is refused. Without it the schema is kept to as far as it
 * can be, and the arguments are a JSON object in any case.
 */
const argumentsGrammar = (
  name: string,
  parameters: Record<string, unknown>,
  options: { strict: boolean; budget: PartsBudget },
): Grammar => {
  const type = parameters.type ?? 'object'
  if (type !== 'object')
    throw badParameters(name, `schema must be a JSON Schema of 'type: "object"', got 'type: ${JSON.stringify(type)}'.`)
  try {
    return knownSchemaGrammar({ ...parameters, type }, options)
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error
    if (options.strict) throw badParameters(name, error.message)
    return anyObjectGrammar()
  }
}

const badParameters = (name: string, reason: string): Problem =>
  new Problem((path) => ApiError.of('invalid_function_parameters', { name, reason }, { param: path })).under(
    'parameters',
  )
