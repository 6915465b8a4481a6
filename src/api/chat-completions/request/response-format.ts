import { ApiError } from '../../../base/api-error.ts'
import { array, isObject, nullable, object, optional, unset } from '../../../http/schema/containers.ts'
import { Problem, wrongType } from '../../../http/schema/problem.ts'
import { boolean, oneOf, string } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byField } from '../../../http/schema/variants.ts'
import type { FormatSource } from '../../generation/compile/grammar-source.ts'
import type { AnswerFormat } from '../../generation/request/generation-request.ts'

/** The format that the answer must have, as requested; null for any text. */
export type RequestedFormat = {
  format: AnswerFormat | null
  /** The field that requests it. */
  field: string
  /** The conversation has to mention JSON: an instruction is added if it does not. */
  wantsWord: boolean
}
const field = 'response_format'
const anyObject: AnswerFormat = { source: { type: 'object' } }
const anyText: RequestedFormat = { format: null, field, wantsWord: false }

const schemaObject: Schema<Record<string, unknown>> = schema(
  { type: 'object', description: 'A JSON Schema.' },
  (value) => {
    if (!isObject(value)) throw wrongType('an object', value)
    return value
  },
)

const jsonSchemaFields = object({
  name: string({ pattern: '^[a-zA-Z0-9_-]+$', maxLength: 64 }),
  description: unset(string()),
  schema: unset(schemaObject),
  strict: unset(boolean),
})

const textFormat = object({ type: oneOf('text') })
/** llama.cpp and Together read a schema here. */
const objectFormat = object({ type: oneOf('json_object'), schema: unset(schemaObject) })
const schemaFormat = object({ type: oneOf('json_schema'), json_schema: jsonSchemaFields })

export const responseFormat: Schema<RequestedFormat> = byField('type', {
  text: schema(textFormat.json, (value): RequestedFormat => {
    textFormat(value)
    return anyText
  }),
  json_object: schema(objectFormat.json, (value): RequestedFormat => {
    const { schema: wanted } = objectFormat(value)
    if (!wanted) return { format: anyObject, field, wantsWord: true }
    const source = { type: 'schema' as const, schema: wanted, strict: false, place: field, param: `${field}.schema` }
    return { format: { source }, field, wantsWord: true }
  }),
  json_schema: schema(schemaFormat.json, (value): RequestedFormat => {
    const { name, description, schema: wanted, strict } = schemaFormat(value).json_schema
    if (!wanted) return { format: anyObject, field, wantsWord: false }
    const place = `response_format '${name}'`
    const format: AnswerFormat = {
      source: { type: 'schema', schema: wanted, strict: strict ?? false, place, param: field },
      name,
      ...(typeof description === 'string' ? { description } : {}),
    }
    return { format, field, wantsWord: false }
  }),
})

/** vLLM's spellings of the same, at `param`. A schema may be an object or JSON text. */
const guidedJson = (param: string): Schema<FormatSource> =>
  schema(
    { anyOf: [{ type: 'object' }, { type: 'string' }], description: 'A JSON Schema, as an object or a string.' },
    (value) =>
      typeof value === 'string'
        ? { type: 'schema_text', text: value, place: 'guided decoding', param }
        : { type: 'schema', schema: schemaObject(value), strict: false, place: 'guided decoding', param },
  )

const patternText = string({ minLength: 1, maxLength: 10_000 })
const guidedRegex = (param: string): Schema<FormatSource> =>
  schema(patternText.json, (value) => ({ type: 'regex', pattern: patternText(value), param }))

const choices = array(string({ minLength: 1 }), { min: 1, max: 10_000, of: 'strings' })
const guidedChoice = (param: string): Schema<FormatSource> =>
  schema(choices.json, (value) => ({ type: 'choice', choices: choices(value), param }))

/** Known to vLLM, not supported here (decision 9 says why); null has no effect. */
const unserved: Schema<null> = schema({ type: 'null' }, (value) => {
  if (value !== null) throw new Problem((path) => ApiError.of('unsupported_constraint', { path }, { param: path }))
  return null
})

const anyObjectSource: Schema<FormatSource | null> = schema({ type: 'boolean' }, (value) =>
  boolean(value) ? { type: 'object' } : null,
)

const structuredFields = object({
  json: optional(nullable(guidedJson('structured_outputs.json'))),
  regex: optional(nullable(guidedRegex('structured_outputs.regex'))),
  choice: optional(nullable(guidedChoice('structured_outputs.choice'))),
  json_object: optional(nullable(anyObjectSource)),
  grammar: optional(unserved),
  structural_tag: optional(unserved),
})

const structuredOutputs: Schema<FormatSource | null> = schema(structuredFields.json, (value) => {
  const { json, regex, choice, json_object } = structuredFields(value)
  const sources = [json, regex, choice, json_object].filter((source) => source)
  if (sources.length > 1) throw new Problem((path) => ApiError.of('conflicting_formats', {}, { param: path }))
  return sources[0] ?? null
})

export const guidedFields = {
  structured_outputs: optional(nullable(structuredOutputs)),
  guided_json: optional(nullable(guidedJson('guided_json'))),
  guided_regex: optional(nullable(guidedRegex('guided_regex'))),
  guided_choice: optional(nullable(guidedChoice('guided_choice'))),
}

const guidedNames = ['structured_outputs', 'guided_json', 'guided_regex', 'guided_choice'] as const
type FormatFields = { response_format?: RequestedFormat | null } & {
  [Name in keyof typeof guidedFields]?: FormatSource | null
}

/** An answer can have only one format. */
export const decideFormat = (fields: FormatFields): RequestedFormat => {
  const requested = fields.response_format ?? anyText
  const guided = guidedNames.filter((name) => fields[name] !== undefined && fields[name] !== null)
  const [first, second] = guided
  if (first === undefined) return requested
  const conflict = requested.format === null ? second : field
  if (conflict !== undefined) throw new Problem(() => ApiError.of('conflicting_formats', {}, { param: conflict }))
  const source = fields[first] ?? null
  return { format: source === null ? null : { source }, field: first, wantsWord: false }
}
