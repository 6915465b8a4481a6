import { ApiError } from '../../../base/errors.ts'
import { anyObjectGrammar } from '../../../grammar/any-json-grammar.ts'
import type { Grammar } from '../../../grammar/grammar.ts'
import { GrammarRefused } from '../../../grammar/grammar-refused.ts'
import { createMatcher } from '../../../grammar/matcher.ts'
import { PatternRefused } from '../../../grammar/pattern-refused.ts'
import { choiceGrammar, regexGrammar } from '../../../grammar/regex-grammar.ts'
import { SchemaRefused } from '../../../grammar/schema-refused.ts'
import { isNestedDeeper } from '../../../http/json-depth.ts'
import { array, isObject, nullable, object, optional } from '../../../http/schema/containers.ts'
import { Problem, unsupportedParameter, wrongType } from '../../../http/schema/problem.ts'
import { boolean, oneOf, string } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byField } from '../../../http/schema/variants.ts'
import { knownSchemaGrammar } from './known-grammars.ts'

/** What the answer must look like: the grammar it keeps to, null for any text. */
export type AnswerFormat = {
  grammar: Grammar | null
  /** The field that asks for it. */
  field: string
  /** The word JSON must be in the messages. */
  wantsWord: boolean
}
const field = 'response_format'
const anyText: AnswerFormat = { grammar: null, field, wantsWord: false }

const schemaObject: Schema<Record<string, unknown>> = schema(
  { type: 'object', description: 'A JSON Schema.' },
  (value) => {
    if (!isObject(value)) throw wrongType('an object', value)
    return value
  },
)

const jsonSchemaFields = object({
  name: string({ pattern: '^[a-zA-Z0-9_-]+$', maxLength: 64 }),
  description: optional(string()),
  schema: optional(schemaObject),
  strict: optional(nullable(boolean)),
})

const textFormat = object({ type: oneOf('text') })
const objectFormat = object({ type: oneOf('json_object') })
const schemaFormat = object({ type: oneOf('json_schema'), json_schema: jsonSchemaFields })

export const responseFormat: Schema<AnswerFormat> = byField('type', {
  text: schema(textFormat.json, (value) => {
    textFormat(value)
    return anyText
  }),
  json_object: schema(objectFormat.json, (value) => {
    objectFormat(value)
    return { grammar: anyObjectGrammar(), field, wantsWord: true }
  }),
  json_schema: schema(schemaFormat.json, (value) => {
    const { name, schema: wanted, strict } = schemaFormat(value).json_schema
    if (wanted === undefined) return { grammar: anyObjectGrammar(), field, wantsWord: false }
    const place = `response_format '${name}'`
    const grammar = schemaGrammar(wanted, { strict: strict ?? false, place, param: field })
    return { grammar, field, wantsWord: false }
  }),
})

type SchemaPlace = {
  strict: boolean /** In words. */
  place: string /** Named instead of its own path. */
  param?: string
}

const schemaGrammar = (wanted: unknown, { strict, place, param }: SchemaPlace): Grammar => {
  try {
    return knownSchemaGrammar(wanted, { strict })
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error
    throw new Problem((path) =>
      ApiError.of('invalid_schema', { place, reason: error.message }, { param: param ?? path }),
    )
  }
}

/** vLLM's spellings of the same wish. A schema may come as an object or as JSON text. */
const guidedJson: Schema<Grammar> = schema(
  { anyOf: [{ type: 'object' }, { type: 'string' }], description: 'A JSON Schema, or one written as text.' },
  (value) =>
    schemaGrammar(typeof value === 'string' ? parseText(value) : schemaObject(value), {
      strict: false,
      place: 'guided decoding',
    }),
)

/** The depth of the body was looked at, but to it this is a string: brackets in it are slow to parse. */
const parseText = (text: string): unknown => {
  if (isNestedDeeper(Buffer.from(text), maxTextDepth)) throw refusedText('the JSON is nested too deep')
  try {
    return JSON.parse(text)
  } catch {
    throw refusedText('the text is not JSON')
  }
}
const maxTextDepth = 128
const refusedText = (reason: string): Problem =>
  new Problem((path) => ApiError.of('refused_value', { path, reason }, { param: path }))

const patternText = string({ minLength: 1, maxLength: 10_000 })
const guidedRegex: Schema<Grammar> = schema(patternText.json, (value) => {
  try {
    const grammar = regexGrammar(patternText(value))
    createMatcher(grammar)
    return grammar
  } catch (error) {
    if (error instanceof GrammarRefused) throw refusedText('no text can be written that fits it')
    if (error instanceof PatternRefused) throw refusedText(error.message)
    throw error
  }
})

const choices = array(string({ minLength: 1 }), { min: 1, max: 10_000, of: 'strings' })
const guidedChoice: Schema<Grammar> = schema(choices.json, (value) => choiceGrammar(choices(value)))

/** Known at vLLM, not served here; null asks for nothing. */
const unserved: Schema<null> = schema({ type: 'null' }, (value) => {
  if (value !== null) throw unsupportedParameter()
  return null
})

const anyObjectWish: Schema<Grammar | null> = schema({ type: 'boolean' }, (value) =>
  boolean(value) ? anyObjectGrammar() : null,
)

const structuredFields = object({
  json: optional(nullable(guidedJson)),
  regex: optional(nullable(guidedRegex)),
  choice: optional(nullable(guidedChoice)),
  json_object: optional(nullable(anyObjectWish)),
  grammar: optional(unserved),
  structural_tag: optional(unserved),
})

const structuredOutputs: Schema<Grammar | null> = schema(structuredFields.json, (value) => {
  const { json, regex, choice, json_object } = structuredFields(value)
  const wished = [json, regex, choice, json_object].filter((grammar) => grammar)
  if (wished.length > 1) throw new Problem((path) => ApiError.of('conflicting_formats', {}, { param: path }))
  return wished[0] ?? null
})

export const guidedFields = {
  structured_outputs: optional(nullable(structuredOutputs)),
  guided_json: optional(nullable(guidedJson)),
  guided_regex: optional(nullable(guidedRegex)),
  guided_choice: optional(nullable(guidedChoice)),
}

const guidedNames = ['structured_outputs', 'guided_json', 'guided_regex', 'guided_choice'] as const
type Wishes = { response_format?: AnswerFormat } & { [Name in keyof typeof guidedFields]?: Grammar | null }

/** There is one answer, so it can have one form. */
export const decideFormat = (wishes: Wishes): AnswerFormat => {
  const format = wishes.response_format ?? anyText
  const guided = guidedNames.filter((name) => wishes[name] !== undefined && wishes[name] !== null)
  const [first, second] = guided
  if (first === undefined) return format
  const conflict = format.grammar === null ? second : field
  if (conflict !== undefined) throw new Problem(() => ApiError.of('conflicting_formats', {}, { param: conflict }))
  return { grammar: wishes[first] ?? null, field: first, wantsWord: false }
}
