import { ApiError } from '../../base/api-error.ts'
import { missing, Problem, wrongType } from './problem.ts'
import { shorten } from './scalars.ts'
import { type JsonSchema, type Schema, schema } from './schema.ts'
import { countUnknown, leaveOut, placeUnknown, type UnknownIn } from './unknown-fields.ts'

export const nullable = <Value>(inner: Schema<Value>): Schema<Value | null> =>
  schema({ anyOf: [inner.json, { type: 'null' }] }, (value) => (value === null ? null : inner(value)))

export const array = <Item>(
  item: Schema<Item>,
  { min = 0, max = Number.POSITIVE_INFINITY, of = 'objects' } = {},
): Schema<Item[]> => {
  const limits = { ...(min > 0 ? { minItems: min } : {}), ...(max < Number.POSITIVE_INFINITY ? { maxItems: max } : {}) }
  return schema({ type: 'array', items: item.json, ...limits }, (value) => {
    if (!Array.isArray(value)) throw wrongType(`an array of ${of}`, value)
    const { length } = value
    if (length < min) throw new Problem((path) => ApiError.of('empty_array', { path, minimum: min }, { param: path }))
    if (length > max)
      throw new Problem((path) =>
        ApiError.of('array_above_max_length', { path, maximum: max, length }, { param: path }),
      )
    let index = 0
    try {
      const items: Item[] = []
      for (; index < length; index += 1) {
        const before = countUnknown()
        items.push(item(value[index]))
        if (countUnknown() !== before) placeUnknown(before, index)
      }
      return items
    } catch (error) {
      throw at(error, index)
    }
  })
}

const optionalMark = Symbol('optional')
type OptionalSchema<Value> = Schema<Value> & { [optionalMark]: true }

/** A field that may be omitted. Use `nullable` inside if null means the same. */
export const optional = <Value>(inner: Schema<Value>): OptionalSchema<Value> => {
  const checked = (value: unknown): Value => inner(value)
  checked.json = inner.json
  checked[optionalMark] = true as const
  return checked
}

/** A field that may be omitted or null, which mean the same. */
export const unset = <Value>(inner: Schema<Value>): OptionalSchema<Value | null> => optional(nullable(inner))

export type Fields = Record<string, Schema<unknown>>
export type ObjectOf<F extends Fields> = {
  [Name in keyof F as F[Name] extends OptionalSchema<unknown> ? never : Name]: ReturnType<F[Name]>
} & { [Name in keyof F as F[Name] extends OptionalSchema<unknown> ? Name : never]?: ReturnType<F[Name]> }

type ObjectOptions = {
  /** The error for unknown fields. */
  unknown?: (names: string[]) => Problem
  /** Marks unknown fields that are refused even where other unknown fields are ignored. */
  isUnserved?: UnknownIn['isUnserved']
}

/**
 * Iterates over the keys that are present, not over all that could be: most requests have few of many fields. Unknown keys
 * are an error, unless the whole is read by `collectUnknown`.
 */
export const object = <F extends Fields>(
  fields: F,
  { unknown = unknownParameter, isUnserved = never }: ObjectOptions = {},
): Schema<ObjectOf<F>> => {
  const known = new Map(Object.entries(fields))
  const isKnown = (name: string) => known.has(name)
  const required = [...known].filter(([, field]) => !(optionalMark in field)).map(([name]) => name)
  return schema(objectJson(known, required), (value) => {
    if (!isObject(value)) throw wrongType('an object', value)
    const names = Object.keys(value)
    if (!names.every(isKnown))
      leaveOut({ value, known, names: names.filter((name) => !isKnown(name)), isUnserved }, unknown)
    for (const name of required) if (!Object.hasOwn(value, name)) throw missing().under(name)
    const result: Record<string, unknown> = {}
    let current = ''
    try {
      for (const name of names) {
        const field = known.get(name)
        if (field === undefined) continue
        current = name
        const before = countUnknown()
        result[name] = field(value[name])
        if (countUnknown() !== before) placeUnknown(before, name)
      }
    } catch (error) {
      throw at(error, current)
    }
    return asObjectOf<F>(result)
  })
}

const never = (): boolean => false

const objectJson = (fields: ReadonlyMap<string, Schema<unknown>>, required: string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries([...fields].map(([name, { json }]) => [name, json])),
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
})

/** Sound because every key of the result was checked by the schema of that name, and every required one is present. */
const asObjectOf = <F extends Fields>(result: Record<string, unknown>): ObjectOf<F> => result as ObjectOf<F>

type RecordLimits = { maxEntries?: number; maxKeyLength?: number }

/** An object with arbitrary keys. The result has no prototype, so that no key has a special meaning. */
export const record = <Value>(entry: Schema<Value>, limits: RecordLimits = {}): Schema<Record<string, Value>> => {
  const { maxEntries = Number.POSITIVE_INFINITY, maxKeyLength = Number.POSITIVE_INFINITY } = limits
  return schema(recordJson(entry.json, limits), (value) => {
    if (!isObject(value)) throw wrongType('an object', value)
    const entries = Object.entries(value)
    if (entries.length > maxEntries) throw tooManyEntries(maxEntries, entries.length)
    const result: Record<string, Value> = Object.create(null)
    for (const [key, item] of entries) {
      if (key.length > maxKeyLength) throw longKey(key, maxKeyLength)
      try {
        const before = countUnknown()
        result[key] = entry(item)
        if (countUnknown() !== before) placeUnknown(before, shorten(key))
      } catch (error) {
        throw at(error, shorten(key))
      }
    }
    return result
  })
}

const recordJson = (entry: JsonSchema, { maxEntries, maxKeyLength }: RecordLimits): JsonSchema => ({
  type: 'object',
  additionalProperties: entry,
  ...(maxEntries === undefined ? {} : { maxProperties: maxEntries }),
  ...(maxKeyLength === undefined ? {} : { propertyNames: { maxLength: maxKeyLength } }),
})

const tooManyEntries = (maximum: number, count: number): Problem =>
  new Problem((path) => ApiError.of('object_above_max_properties', { path, maximum, count }, { param: path }))

const longKey = (key: string, maximum: number): Problem =>
  new Problem((path) => ApiError.of('key_above_max_length', { path, maximum, key: shorten(key) }, { param: path }))

const unknownParameter = (names: string[]): Problem =>
  new Problem((path) => ApiError.of('unknown_parameter', { path }, { param: path })).under(shorten(names[0] ?? ''))

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const at = (error: unknown, step: string | number): unknown =>
  error instanceof Problem ? error.under(step) : error
