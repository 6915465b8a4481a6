import { ApiError } from '../../../base/api-error.ts'
import { array, object } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'
import { oneOf, string } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byField, byType } from '../../../http/schema/variants.ts'
import type { OfferedTool } from './tools.ts'

/** Whether the model may call tools, must call one, or must call one of these. */
export type ToolChoice =
  | { mode: 'none' | 'auto' | 'required' }
  | { mode: 'named'; name: string }
  | { mode: 'allowed'; required: boolean; names: string[] }

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

/** What remains of the tools after `tool_choice`. */
export type Calling = {
  /** Shown to the model. */
  shown: readonly OfferedTool[]
  /** May be called. */
  callable: readonly OfferedTool[]
  required: boolean
  named: boolean
  parallel: boolean
  /** The response uses the older spelling. */
  legacy: boolean
}

type Offer = { offered: readonly OfferedTool[]; choice: ToolChoice | null; parallel: boolean; legacy: boolean }

/** Null if no tool can be called. An unknown name is refused with its path. */
export const decideCalling = ({ offered, choice, parallel, legacy }: Offer): Calling | null => {
  const decided = choice ?? { mode: offered.length > 0 ? 'auto' : 'none' }
  if (offered.length === 0 && decided.mode !== 'none') throw withoutTools(legacy)
  if (decided.mode === 'none') return null
  const common = { shown: offered, parallel: parallel && !legacy, legacy }
  if (decided.mode === 'named') {
    const callable = [find(offered, decided.name, legacy ? 'function_call.name' : 'tool_choice.function.name')]
    // The official service makes one call if the function is named.
    return { ...common, callable, required: true, named: true, parallel: false }
  }
  if (decided.mode !== 'allowed')
    return { ...common, callable: offered, required: decided.mode === 'required', named: false }
  const callable = decided.names.map((name, index) =>
    find(offered, name, `tool_choice.allowed_tools.tools[${index}].function.name`),
  )
  return { ...common, callable, required: decided.required, named: false }
}

const find = (offered: readonly OfferedTool[], name: string, param: string): OfferedTool => {
  const tool = offered.find((candidate) => candidate.name === name)
  if (tool !== undefined) return tool
  throw new Problem(() => ApiError.of('unknown_function', { name: name.slice(0, 64), param }, { param }))
}

const withoutTools = (legacy: boolean): Problem => {
  const [field, list] = legacy ? ['function_call', 'functions'] : ['tool_choice', 'tools']
  return new Problem(() => ApiError.of('choice_without_tools', { field, list }, { param: field }))
}
