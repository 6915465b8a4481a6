import { isRecord } from '../../../../../src/base/is-record.ts'
import { maxStops } from '../check-settings.ts'
import { type NumberName, numberNames, type PlaygroundSettings, ranges, reasoningEfforts } from '../settings.ts'
import { partName } from './opened-parts.ts'
import type { RequestBody } from './request-dialect.ts'

type Settings = Partial<PlaygroundSettings>
export type Taken = { settings: Settings; leftOut: readonly string[] }

/** Numbers that the panel has, by the names that the endpoint gives them. */
export const takeNumbers = (body: RequestBody, names: Partial<Record<NumberName, string>> = {}): Taken => {
  const taken = numberNames.map((name) => {
    const field = names[name] ?? name
    const value = body[field]
    if (typeof value !== 'number') return { settings: {}, leftOut: [] }
    const { min, max } = ranges[name]
    return value < min || value > max
      ? { settings: {}, leftOut: [partName(field, String(value))] }
      : { settings: { [name]: String(value) }, leftOut: [] }
  })
  return join(taken)
}

/** The panel has fewer than some endpoints accept. */
export const takeStops = (value: unknown, field: string): Taken => {
  const all =
    typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  const stop = all
    .slice(0, maxStops)
    .map((each) => each.replaceAll('\n', '\\n'))
    .join('\n')
  return { settings: { stop }, leftOut: all.slice(maxStops).map((each) => partName(field, JSON.stringify(each))) }
}

/** A function as `/v1/chat/completions` describes it; null for a tool of another kind. */
type ReadTool = (tool: RequestBody) => object | null

export const takeTools = (value: unknown, readTool: ReadTool): Taken => {
  const tools = listOf(value)
  const read = tools.map((tool) => ({ tool, known: readTool(tool) }))
  const known = read.flatMap((each) => each.known ?? [])
  const unknown = read.filter((each) => each.known === null)
  return {
    settings: { tools: known.length === 0 ? '' : JSON.stringify(known, null, 2) },
    leftOut: unknown.map(({ tool }) => partName('tools', tool.type ?? tool.name)),
  }
}

/** A function with these parts, without those that are absent. */
export const functionTool = ({ name, description, parameters, strict }: RequestBody): object => ({
  type: 'function',
  function: {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isRecord(parameters) ? { parameters } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  },
})

/** `chosen`: what the endpoint calls the choices that the panel has. */
export const takeToolChoice = (
  value: unknown,
  chosen: Readonly<Record<string, PlaygroundSettings['toolChoice']>>,
): Taken => {
  const mode = isRecord(value) ? value.type : value
  if (value === undefined || value === null) return { settings: {}, leftOut: [] }
  const toolChoice = typeof mode === 'string' && Object.hasOwn(chosen, mode) ? chosen[mode] : undefined
  if (toolChoice !== undefined) return { settings: { toolChoice }, leftOut: [] }
  const name = isRecord(value) ? (value.name ?? (isRecord(value.function) ? value.function.name : mode)) : mode
  return { settings: {}, leftOut: [partName('tool_choice', name)] }
}

export const takeEffort = (value: unknown, field: string): Taken => {
  if (value === undefined || value === null) return { settings: {}, leftOut: [] }
  const reasoningEffort = reasoningEfforts.find((effort) => effort === value)
  return reasoningEffort === undefined
    ? { settings: {}, leftOut: [partName(field, value)] }
    : { settings: { reasoningEffort }, leftOut: [] }
}

/** `format` has a schema, or is the name of another format than text. */
export const takeFormat = (format: unknown, field: string): Taken => {
  if (!isRecord(format) || format.type === 'text') return { settings: {}, leftOut: [] }
  const described = isRecord(format.json_schema) ? format.json_schema : format
  if (!isRecord(described.schema)) return { settings: {}, leftOut: [partName(field, format.type)] }
  const settings: Settings = { format: 'schema', schema: JSON.stringify(described.schema, null, 2) }
  // The panel asks for a schema that is followed strictly.
  return { settings, leftOut: described.strict === false ? [partName(field, 'strict: false')] : [] }
}

/** What changes nothing about an answer, or is decided here. */
const withoutEffect: ReadonlySet<string> = new Set([
  ...['model', 'stream', 'stream_options', 'store', 'metadata', 'client_metadata', 'user', 'safety_identifier'],
  ...['service_tier', 'cache_control', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
])
/** With these values they change nothing either. */
const neutral: RequestBody = { n: 1, best_of: 1, parallel_tool_calls: true, truncation: 'disabled', top_logprobs: 0 }

/** Fields of a request that were not taken, and that mean something. */
export const otherFields = (body: RequestBody, taken: readonly string[]): string[] =>
  Object.entries(body).flatMap(([name, value]) => {
    if (taken.includes(name) || withoutEffect.has(name) || isNothing(value) || neutral[name] === value) return []
    if (value === false && name !== 'parallel_tool_calls') return []
    return [partName(name, isRecord(value) ? value.type : typeof value === 'object' ? undefined : String(value))]
  })

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

export const join = (parts: readonly Taken[]): Taken => {
  let joined: Settings = {}
  for (const { settings } of parts) joined = { ...joined, ...settings }
  return { settings: joined, leftOut: parts.flatMap(({ leftOut }) => leftOut) }
}

export const listOf = (value: unknown): RequestBody[] => (Array.isArray(value) ? value.filter(isRecord) : [])
