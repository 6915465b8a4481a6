import { isRecord } from '../../../../src/base/is-record.ts'
import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import { findJsonError, type JsonError } from '../../json/find-json-error.ts'
import {
  type FieldName,
  type NumberName,
  numberNames,
  type PlaygroundSettings,
  type ReasoningEffort,
  ranges,
} from './settings.ts'

/** What is wrong with a field; the page words it. `detail` is shown verbatim: the server's message. */
export type FieldError =
  | { code: 'number'; min: number; max: number; whole: boolean }
  | { code: 'too_many_stops' }
  | { code: 'not_json'; at: JsonError }
  | { code: 'not_tools' }
  | { code: 'not_schema' }
  | { code: 'no_schema' }
  | { code: 'refused'; detail: string }
export type FieldErrors = Partial<Record<FieldName, FieldError>>

/** The part of a request that the panel decides. */
export type RequestOptions = {
  temperature?: number
  top_p?: number
  max_completion_tokens?: number
  presence_penalty?: number
  frequency_penalty?: number
  seed?: number
  stop?: readonly string[]
  tools?: readonly unknown[]
  tool_choice?: string
  reasoning_effort?: Exclude<ReasoningEffort, ''>
  logprobs?: true
  top_logprobs?: number
  return_token_ids?: true
  response_format?: { type: 'json_schema'; json_schema: { name: string; strict: boolean; schema: unknown } }
}

export const maxStops = 4
/** Of each token, what else could have stood in its place. */
const shownCandidates = 5

/** Parses every field: valid ones go into the request, errors are shown at their fields. */
export const checkSettings = (settings: PlaygroundSettings): { options: RequestOptions; errors: FieldErrors } => {
  const options: RequestOptions = {}
  const errors: FieldErrors = {}
  for (const name of numberNames) {
    const read = readNumber(name, settings[name])
    if (typeof read === 'number') options[name] = read
    else if (read !== null) errors[name] = read
  }
  const stop = readStops(settings.stop)
  if (stop.length > maxStops) errors.stop = { code: 'too_many_stops' }
  else if (stop.length > 0) options.stop = stop
  if (settings.tools.trim() !== '') {
    const tools = readJson(settings.tools)
    if ('error' in tools) errors.tools = tools.error
    else if (!areTools(tools.value)) errors.tools = { code: 'not_tools' }
    else {
      options.tools = tools.value
      options.tool_choice = settings.toolChoice
    }
  }
  if (settings.reasoningEffort !== '') options.reasoning_effort = settings.reasoningEffort
  if (settings.logprobs !== 'off') {
    options.logprobs = true
    options.top_logprobs = shownCandidates
    if (settings.logprobs === 'ids') options.return_token_ids = true
  }
  if (settings.format === 'schema' && settings.schema.trim() === '') errors.schema = { code: 'no_schema' }
  else if (settings.format === 'schema') {
    const schema = readJson(settings.schema)
    if ('error' in schema) errors.schema = schema.error
    else if (!isRecord(schema.value)) errors.schema = { code: 'not_schema' }
    else {
      const json_schema = { name: 'answer', strict: true, schema: schema.value }
      options.response_format = { type: 'json_schema', json_schema }
    }
  }
  return { options, errors }
}

const readNumber = (name: NumberName, text: string): number | FieldError | null => {
  if (text.trim() === '') return null
  const { min, max, whole } = ranges[name]
  const value = Number(text)
  const fits = Number.isFinite(value) && value >= min && value <= max && (!whole || Number.isInteger(value))
  return fits ? value : { code: 'number', min, max, whole }
}

/** `\n` in a line stands for the end of a line, which cannot be typed there. */
const readStops = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('\\n', '\n'))

const readJson = (text: string): { value: unknown } | { error: FieldError } => {
  const at = findJsonError(text)
  return at === null ? { value: parseJsonText(text) } : { error: { code: 'not_json', at } }
}

const areTools = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0 && value.every((tool) => isRecord(tool) && isRecord(tool.function))

/** The field that the server's `param` is about, if it is one of the panel's. */
export const fieldOfParam = (param: string | null): FieldName | null => {
  const [head = ''] = (param ?? '').split(/[.[]/)
  if (head === 'response_format') return 'schema'
  if (head === 'tools' || head === 'tool_choice') return 'tools'
  if (head === 'stop') return 'stop'
  return numberNames.find((name) => name === head) ?? null
}
