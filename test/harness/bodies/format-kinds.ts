import fc, { type Arbitrary } from 'fast-check'
import { looseSchemaKind, namedBy, strictSchemaKind } from './json-schemas.ts'
import { asObject, either, type Kind, leaf, list, name, object, onlyNull, orNull, someWords, text } from './kind.ts'

/** The answer formats that a request can ask for: `response_format`, and the spellings of other servers. */
const formatType = (own: string) => someWords([own], ['text', 'json_object', 'json_schema'])
const textFormat = object({ type: formatType('text') })
const jsonFormat = object({ type: formatType('json_object') })

const strictOf = (...values: (boolean | null)[]): Kind =>
  leaf(fc.constantFrom(...values), (value) => value === null || typeof value === 'boolean', 'true', 0)
const schemaOf = (kind: Kind): Kind => namedBy('response_format', kind)
const loose = object(
  { name: name() },
  { description: orNull(text()), schema: orNull(schemaOf(looseSchemaKind)), strict: strictOf(false, null) },
)
const strict = object(
  { name: name(), schema: orNull(schemaOf(strictSchemaKind)), strict: strictOf(true) },
  { description: orNull(text()) },
)
const jsonSchema: Kind = {
  right: fc.oneof(loose.right, strict.right),
  takes: loose.takes,
  // A strict format stays valid without its schema or without `strict`.
  errors: loose.errors,
  inside: (value) => (asObject(value).strict === true ? strict : loose).inside(value),
}
const schemaFormat = object({ type: formatType('json_schema'), json_schema: jsonSchema })

const formatOf = (value: unknown): Kind => {
  const { type } = asObject(value)
  if (type === 'json_schema') return schemaFormat
  return type === 'text' ? textFormat : jsonFormat
}
export const responseFormatKind: Kind = {
  right: fc.oneof(textFormat.right, schemaFormat.right),
  takes: textFormat.takes,
  errors: (value) => formatOf(value).errors(value),
  inside: (value) => formatOf(value).inside(value),
}

const schemaText = leaf(
  looseSchemaKind.right.map((schema) => JSON.stringify(schema)),
  (value) => typeof value === 'string',
  ...['', '{', 'nonsense', '5', '{"type":"text"}', '['.repeat(200)],
)
const guidedJson = orNull(either(schemaText, looseSchemaKind))
const pattern = leaf(
  fc.constantFrom('a|b', '[a-z]{1,5}', '^\\d{4}-\\d{2}$', '日本(語)?', '.*'),
  (value) => typeof value === 'string',
  ...['', '(', '[z-a]', 'a{2,1}', '(?=x)', '\\1', 'x'.repeat(10_001)],
)
const choices = list(text({ min: 1 }), { min: 1 })

const structured = object(
  {},
  {
    json: guidedJson,
    regex: orNull(pattern),
    choice: orNull(choices),
    json_object: orNull(leaf(fc.boolean(), (value) => typeof value === 'boolean', 'true')),
    grammar: onlyNull,
    structural_tag: onlyNull,
  },
)

export const guidedKinds = {
  structured_outputs: orNull(structured),
  guided_json: guidedJson,
  guided_regex: orNull(pattern),
  guided_choice: orNull(choices),
}

type Body = Record<string, unknown>
const oneGuide: Arbitrary<Body> = fc.oneof(
  fc.record({ guided_json: guidedJson.right }),
  fc.record({ guided_regex: orNull(pattern).right }),
  fc.record({ guided_choice: orNull(choices).right }),
  fc
    .oneof(
      fc.record({ json: guidedJson.right }),
      fc.record({ regex: pattern.right, json: fc.constant(null) }),
      fc.record({ choice: choices.right, grammar: fc.constant(null) }),
      fc.record({ json_object: fc.boolean() }),
      fc.constantFrom({}, null),
    )
    .map((structured_outputs) => ({ structured_outputs })),
)

/** The fields of a body that set the answer's format: at most one. */
export const formatFields: Arbitrary<Body> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 10 },
  { arbitrary: responseFormatKind.right.map((response_format) => ({ response_format })), weight: 3 },
  { arbitrary: fc.constant({ response_format: { type: 'json_object' } }), weight: 1 },
  { arbitrary: fc.constant({ response_format: null }), weight: 1 },
  { arbitrary: oneGuide, weight: 2 },
  { arbitrary: oneGuide.map((guide) => ({ ...guide, response_format: { type: 'text' } })), weight: 1 },
)
