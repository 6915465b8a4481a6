import { isDeepStrictEqual } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

const ajv = new Ajv2020({ strict: false, validateFormats: true, meta: false, validateSchema: false })
formats.default(ajv)

/** A round trip through text removes the sign of -0, which JSON does not distinguish from 0. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const equal = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other))

// The validator's own comparison calls a value's `toString`, which may be a key of the JSON.
const comparisons: Record<string, (wanted: unknown, value: unknown) => boolean> = {
  const: equal,
  enum: (wanted, value) => Array.isArray(wanted) && wanted.some((one) => equal(one, value)),
  uniqueItems: (wanted, value) =>
    wanted !== true ||
    !Array.isArray(value) ||
    value.every((one, index) => value.slice(index + 1).every((other) => !equal(one, other))),
}
for (const [keyword, validate] of Object.entries(comparisons))
  ajv.removeKeyword(keyword).addKeyword({ keyword, validate })

/** The independent check of what a schema allows: a validator that shares no code with the grammars. */
export const schemaValidator = (schema: unknown): ((value: unknown) => boolean) => {
  const validate = ajv.compile(typeof schema === 'boolean' ? schema : Object(schema))
  return (value) => validate(value) === true
}
