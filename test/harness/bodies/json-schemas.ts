import fc, { type Arbitrary } from 'fast-check'
import { asObject, type ErrorNotice, isObject, type Kind, without } from './kind.ts'

/** JSON Schemas that every implementation understands, in the subset that `strict` requires. */
type JsonSchema = Record<string, unknown>

const scalar: Arbitrary<JsonSchema> = fc.constantFrom<JsonSchema[]>(
  { type: 'string' },
  { type: 'string', description: 'A word, 日本語 or not.', minLength: 1, maxLength: 20 },
  { type: 'string', enum: ['a', 'b', ''] },
  { type: 'string', pattern: '^[a-z]{2,4}$' },
  { type: 'string', format: 'date' },
  { type: 'integer', minimum: 0, maximum: 150 },
  { type: 'number', minimum: -1.5 },
  { type: 'boolean' },
  { type: 'null' },
  { type: ['string', 'null'] },
  { const: 'x' },
)

const objectOf = (property: Arbitrary<JsonSchema>): Arbitrary<JsonSchema> =>
  fc.dictionary(fc.constantFrom('a', 'b', 'name', '名', 'toString'), property, { maxKeys: 3 }).map((properties) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }))

const arrayOf = (items: Arbitrary<JsonSchema>): Arbitrary<JsonSchema> =>
  fc.record({ items, minItems: fc.nat({ max: 2 }) }).map((rest) => ({ type: 'array', ...rest }))

const inner: Arbitrary<JsonSchema> = fc.oneof(
  { arbitrary: scalar, weight: 4 },
  { arbitrary: objectOf(scalar), weight: 1 },
  { arbitrary: arrayOf(fc.oneof(scalar, objectOf(scalar))), weight: 1 },
  { arbitrary: fc.array(scalar, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })), weight: 1 },
)

const self: JsonSchema = {
  type: 'object',
  properties: { value: { type: 'string' }, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
  required: ['value', 'next'],
  additionalProperties: false,
}

const strictSchema: Arbitrary<JsonSchema> = fc.oneof(
  { arbitrary: objectOf(inner), weight: 9 },
  { arbitrary: fc.constant(self), weight: 1 },
)

const looseSchema: Arbitrary<JsonSchema> = fc.oneof(
  strictSchema,
  inner,
  strictSchema.map((schema) => without(schema, 'additionalProperties', 'required')),
  fc.constant({}),
)

/** Keywords that make a schema impossible to enforce. */
const spoilers: JsonSchema[] = [
  { not: { type: 'string' } },
  { patternProperties: { '^a': {} } },
  { if: {}, else: {} },
  { type: 'text' },
  { type: [] },
  { enum: [] },
  { uniqueItems: true },
  { multipleOf: 2 },
  { minLength: -1 },
  { type: 'string', pattern: '(' },
  { $ref: 'https://example.com/schema' },
  { $ref: '#/$defs/nowhere' },
  { allOf: [false] },
]

const spoilt = (schema: JsonSchema): JsonSchema[] => spoilers.map((spoiler) => ({ ...schema, ...spoiler }))

const unstrict = (schema: JsonSchema): JsonSchema[] => [
  without(schema, 'additionalProperties'),
  { ...schema, additionalProperties: true },
  { ...schema, required: [...(Array.isArray(schema.required) ? schema.required : []), 'stranger'] },
  { ...schema, properties: { ...asObject(schema.properties), more: {} } },
  { ...schema, properties: { ...asObject(schema.properties), deep: { type: 'object' } }, required: undefined },
  { ...schema, type: 'array' },
  { ...schema, anyOf: [{}] },
  { ...schema, made_up: 1 },
]

const schemaKind = (right: Arbitrary<JsonSchema>, wrong: (schema: JsonSchema) => JsonSchema[]): Kind => ({
  right,
  takes: isObject,
  errors: (value) => wrong(asObject(value)).map((schema): ErrorNotice => ({ value: schema, at: '' })),
  inside: () => [],
})

export const strictSchemaKind = schemaKind(strictSchema, (schema) => [...spoilt(schema), ...unstrict(schema)])
export const looseSchemaKind = schemaKind(looseSchema, spoilt)
/** Errors inside are reported for the whole field. */
export const namedBy = (param: string, kind: Kind): Kind => ({
  ...kind,
  errors: (value) => kind.errors(value).map((fault) => ({ ...fault, param })),
})
/** For a function that is not strict: the schema is enforced where possible, but arguments are an object. */
export const parametersKind = schemaKind(
  fc.oneof(
    looseSchema.map((schema) => ({ ...without(schema, 'enum', 'const'), type: 'object' })),
    fc.constantFrom<JsonSchema[]>({}, { type: 'object', patternProperties: {} }),
  ),
  (schema) => ['string', 'array', 5, ['object']].map((type) => ({ ...schema, type })),
)
