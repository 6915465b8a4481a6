import { ApiError } from '../../../base/api-error.ts'
import { array, object } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'
import { oneOf, string } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byField, byType } from '../../../http/schema/variants.ts'
import type { ChoicePaths, ToolChoice } from '../../generation/request/calling.ts'

/** `tool_choice` and `function_call`, and how errors name what is in them. */
export const toolChoicePaths: ChoicePaths = {
  choice: 'tool_choice',
  list: 'tools',
  named: 'tool_choice.function.name',
  allowed: (index) => `tool_choice.allowed_tools.tools[${index}].function.name`,
}
export const functionCallPaths: ChoicePaths = {
  choice: 'function_call',
  list: 'functions',
  named: 'function_call.name',
}

const functionByName = object({ name: string({ minLength: 1 }) })
const namedFields = object({ type: oneOf('function'), function: functionByName })
const named: Schema<ToolChoice> = schema(namedFields.json, (value) => ({
  mode: 'named',
  name: namedFields(value).function.name,
}))

const custom: Schema<never> = schema({ not: {}, description: 'Custom tools are not supported.' }, () => {
  throw new Problem((path) => ApiError.of('unsupported_value', { path, value: 'custom' }, { param: path })).under(
    'type',
  )
})

const allowedFields = object({
  type: oneOf('allowed_tools'),
  allowed_tools: object({
    mode: oneOf('auto', 'required'),
    tools: array(byField('type', { function: namedFields, custom }), { min: 1, max: 128 }),
  }),
})
const allowed: Schema<ToolChoice> = schema(allowedFields.json, (value) => {
  const { mode, tools } = allowedFields(value).allowed_tools
  return { mode: 'allowed', required: mode === 'required', names: tools.map((tool) => tool.function.name) }
})

const word = oneOf('none', 'auto', 'required')
const byWord: Schema<ToolChoice> = schema(word.json, (value) => ({ mode: word(value) }))
const chosen = byField('type', { function: named, custom, allowed_tools: allowed })

export const toolChoice: Schema<ToolChoice> = byType('one of a string or object', { string: byWord, object: chosen })

const legacyWord = oneOf('none', 'auto')
/** `function_call`, the older spelling. */
export const functionCallChoice: Schema<ToolChoice> = byType('one of a string or object', {
  string: schema(legacyWord.json, (value): ToolChoice => ({ mode: legacyWord(value) })),
  object: schema(functionByName.json, (value): ToolChoice => ({ mode: 'named', name: functionByName(value).name })),
})
