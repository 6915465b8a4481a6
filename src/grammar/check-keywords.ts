import { isRecord, type RawSchema } from './schema-document.ts'

type Check = { fits: (value: unknown) => boolean; shape: string }

const typeNames = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'])
const isTypeName = (value: unknown): boolean => typeof value === 'string' && typeNames.has(value)
const isList = (value: unknown): value is unknown[] => Array.isArray(value)

const count: Check = { fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0, shape: 'a natural number' }
const number: Check = { fits: (value) => typeof value === 'number' && Number.isFinite(value), shape: 'a number' }
const string: Check = { fits: (value) => typeof value === 'string', shape: 'a string' }
const schema: Check = { fits: (value) => isRecord(value) || typeof value === 'boolean', shape: 'a schema' }
const schemas: Check = { fits: (value) => isList(value) && value.length > 0, shape: 'a list of schemas' }
const object: Check = { fits: isRecord, shape: 'an object' }
const anyShape: Check = { fits: () => true, shape: '' }

/** The supported keywords that limit values, with the form they must have. */
const limiting: Record<string, Check> = {
  type: {
    fits: (value) => (isList(value) ? value.length > 0 && value.every(isTypeName) : isTypeName(value)),
    shape: 'the name of a type or a list of them',
  },
  enum: { fits: (value) => isList(value) && value.length > 0, shape: 'a list of at least one value' },
  const: anyShape,
  properties: object,
  required: {
    fits: (value) => isList(value) && value.every((name) => typeof name === 'string'),
    shape: 'a list of names',
  },
  additionalProperties: schema,
  minProperties: count,
  maxProperties: count,
  items: schema,
  prefixItems: schemas,
  minItems: count,
  maxItems: count,
  uniqueItems: { fits: (value) => value === false, shape: 'false, since repeated items cannot be prevented' },
  minLength: count,
  maxLength: count,
  pattern: string,
  format: string,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: { fits: (value) => value === 1, shape: '1, since other multiples cannot be enforced' },
  anyOf: schemas,
  oneOf: schemas,
  allOf: schemas,
  $ref: string,
}

const combining = new Set(['anyOf', 'oneOf', 'allOf', '$ref'])

const annotations = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment', '$schema'],
  ...['$id', '$anchor', '$defs', 'definitions', 'contentEncoding', 'contentMediaType', 'contentSchema'],
])

/** Unsupported keywords that limit values in some version of JSON Schema. */
const refused = new Set([
  ...['not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'dependencies', 'patternProperties'],
  ...['propertyNames', 'contains', 'minContains', 'maxContains', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['additionalItems', '$dynamicRef', '$recursiveRef', '$dynamicAnchor', '$recursiveAnchor', '$vocabulary'],
  ...['divisibleBy', 'disallow', 'extends'],
])

/** The error in the keywords of one schema, or null. Unknown keywords limit nothing: only `strict` rejects them. */
export const checkKeywords = (raw: RawSchema, strict: boolean): { keyword: string; reason: string } | null => {
  for (const [keyword, value] of Object.entries(raw)) {
    const check = Object.hasOwn(limiting, keyword) ? limiting[keyword] : undefined
    if (check !== undefined) {
      if (!check.fits(value)) return { keyword, reason: `'${keyword}' must be ${check.shape}.` }
    } else if (refused.has(keyword) || (strict && !annotations.has(keyword)))
      return { keyword, reason: `'${keyword}' is not permitted.` }
  }
  return null
}

/** Whether a schema itself limits values, apart from its references. */
export const hasFacets = (raw: RawSchema): boolean =>
  Object.keys(raw).some((keyword) => Object.hasOwn(limiting, keyword) && !combining.has(keyword))
