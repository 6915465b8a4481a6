import { ApiError } from '../../../base/api-error.ts'
import { type BuiltInTool, builtInToolName, builtInTools } from '../../../config/built-in-tools.ts'
import { array, isObject, object } from '../../../http/schema/containers.ts'
import { missing, Problem, wrongType } from '../../../http/schema/problem.ts'
import { oneOf, string } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byType } from '../../../http/schema/variants.ts'
import { type Calling, type ChoicePaths, decideCalling, type ToolChoice } from '../../generation/request/calling.ts'
import { offeredTool, type RequestTool } from './tools.ts'

/** A tool by its type and name, as `tool_choice` names it; tools of other types have no name. */
type NamedTool = { type: 'function' | 'custom'; name: string }
type OtherTool = { type: string }

/** As the response repeats it. */
export type ToolChoiceJson =
  | 'none'
  | 'auto'
  | 'required'
  | NamedTool
  /** A tool that the upstream runs. */
  | { type: BuiltInChoice }
  | { type: 'allowed_tools'; mode: 'auto' | 'required'; tools: (NamedTool | OtherTool)[] }

const word = oneOf('none', 'auto', 'required')
const namedTool = object({ type: oneOf('function', 'custom'), name: string({ minLength: 1 }) })

const isNamed = (type: unknown): boolean => type === 'function' || type === 'custom'

const choiceType = (value: unknown): string => {
  if (!isObject(value)) throw wrongType('an object', value)
  if (value.type === undefined) throw missing().under('type')
  if (typeof value.type !== 'string') throw wrongType('a string', value.type).under('type')
  return value.type
}

const allowedTool: Schema<NamedTool | OtherTool> = schema(
  { anyOf: [namedTool.json, { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] }] },
  (value) => {
    const type = choiceType(value)
    return isNamed(type) ? namedTool(value) : { type }
  },
)
const allowed = object({
  type: oneOf('allowed_tools'),
  mode: oneOf('auto', 'required'),
  tools: array(allowedTool, { min: 1, max: 128 }),
})

/** Only of tools that the upstream runs, and that the operator allows. */
const builtInChoice = {
  type: 'object',
  properties: { type: { type: 'string', pattern: `^(${[...builtInTools, 'computer'].join('|')})` } },
  required: ['type'],
}

const chosen: Schema<ToolChoiceJson> = schema({ anyOf: [namedTool.json, allowed.json, builtInChoice] }, (value) => {
  const type = choiceType(value)
  if (isNamed(type)) return namedTool(value)
  if (type === 'allowed_tools') return allowed(value)
  if (!builtInTools.some((tool) => tool === builtInToolName(type))) throw unsupported(type).under('type')
  return { type: asBuiltInChoice(type) }
})

/** No other name that a choice can have. */
type BuiltInChoice = `${BuiltInTool}${'' | `_${string}`}` | 'computer'

/** Sound because the types of built-in tools begin with their names. */
const asBuiltInChoice = (type: string): BuiltInChoice => type as BuiltInChoice

export const toolChoice: Schema<ToolChoiceJson> = byType('one of a string or object', { string: word, object: chosen })

const unsupported = (type: string): Problem =>
  new Problem((path) => ApiError.of('unsupported_value', { path, value: type.slice(0, 64) }, { param: path }))

const paths: ChoicePaths = { choice: 'tool_choice', list: 'tools', named: 'tool_choice.name' }

type Offer = {
  tools: readonly RequestTool[]
  choice: ToolChoiceJson
  parallel: boolean
  /** Other tools are passed on to the upstream, which runs them. */
  isNative: boolean
}

/** Null if no tool can be called. Forcing a tool that is not supported is refused by name. */
export const applyToolChoice = ({ tools, choice, parallel, isNative }: Offer): Calling | null => {
  const known = tools.flatMap((one) => ('tool' in one ? [one.tool] : []))
  const decide = (decided: ToolChoice): Calling | null =>
    decideCalling({ offered: known.map(offeredTool), choice: decided, parallel, paths })
  const find = ({ type, name }: NamedTool, param: string): string => {
    if (known.some((tool) => tool.type === type && tool.name === name)) return name
    throw new Problem(() => ApiError.of('unknown_function', { name: name.slice(0, 64), param }, { param }))
  }
  if (typeof choice === 'string') {
    if (known.length === 0 && choice === 'auto') return null
    if (known.length === 0 && choice === 'required' && isNative && tools.length > 0) return null
    if (known.length === 0 && choice === 'required') refuseOnlyIgnored(tools)
    return decide({ mode: choice })
  }
  if (choice.type !== 'allowed_tools' && !('name' in choice)) {
    const isOffered = tools.some((one) => 'ignored' in one && isSameTool(one.ignored, choice.type))
    if (!isNative || !isOffered) throw unsupported(choice.type).under('tool_choice.type')
    return known.length === 0 ? null : decide({ mode: 'auto' })
  }
  if (choice.type !== 'allowed_tools') return decide({ mode: 'named', name: find(choice, 'tool_choice.name') })
  const { mode, tools: listed } = choice
  const names = listed.flatMap((one, index) => ('name' in one ? [find(one, `tool_choice.tools[${index}].name`)] : []))
  if (names.length > 0) return decide({ mode: 'allowed', required: mode === 'required', names })
  if (mode === 'auto' || isNative) return null
  throw unsupported(listed[0]?.type ?? '').under('tool_choice.tools[0].type')
}

const isSameTool = (one: string, other: string): boolean => builtInToolName(one) === builtInToolName(other)

/** The model must call a tool, and all of them are of kinds that it is not shown. */
const refuseOnlyIgnored = (tools: readonly RequestTool[]): void => {
  const [first] = tools
  if (first !== undefined && 'ignored' in first) throw unsupported(first.ignored).under('tools[0].type')
}
