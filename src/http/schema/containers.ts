import { ApiError } from '../../base/errors.ts'
import { missing, Problem, wrongType } from './problem.ts'
import { type Schema, shorten } from './scalars.ts'

export const nullable =
  <Value>(schema: Schema<Value>): Schema<Value | null> =>
  (value) =>
    value === null ? null : schema(value)

export const array =
  <Item>(item: Schema<Item>, { min = 0, max = Number.POSITIVE_INFINITY, of = 'objects' } = {}): Schema<Item[]> =>
  (value) => {
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
      for (; index < length; index += 1) items.push(item(value[index]))
      return items
    } catch (error) {
      throw at(error, index)
    }
  }

const optionalMark = Symbol('optional')
type OptionalSchema<Value> = Schema<Value> & { [optionalMark]: true }

/** A field that may be left out. Put `nullable` inside where null means the same. */
export const optional = <Value>(schema: Schema<Value>): OptionalSchema<Value> =>
  Object.assign((value: unknown) => schema(value), { [optionalMark]: true as const })

type Fields = Record<string, Schema<unknown>>
type ObjectOf<F extends Fields> = {
  [Name in keyof F as F[Name] extends OptionalSchema<unknown> ? never : Name]: ReturnType<F[Name]>
} & { [Name in keyof F as F[Name] extends OptionalSchema<unknown> ? Name : never]?: ReturnType<F[Name]> }

/**
 * Walks the keys that are there, not those that might be: most requests hold few of many fields. Unknown keys are an
 * error; `unknown` says which one.
 */
export const object = <F extends Fields>(
  fields: F,
  unknown: (names: string[]) => Problem = unknownParameter,
): Schema<ObjectOf<F>> => {
  const known = new Map(Object.entries(fields))
  const required = [...known].filter(([, schema]) => !(optionalMark in schema)).map(([name]) => name)
  return (value) => {
    if (!isObject(value)) throw wrongType('an object', value)
    const strangers = Object.keys(value).filter((name) => !known.has(name))
    if (strangers.length > 0) throw unknown(strangers)
    for (const name of required) if (!Object.hasOwn(value, name)) throw missing().under(name)
    const result: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(value)) {
      try {
        result[name] = known.get(name)?.(field)
      } catch (error) {
        throw at(error, name)
      }
    }
    return asObjectOf<F>(result)
  }
}

/** Sound because every key of the result was checked by the schema of that name, and every required one is there. */
const asObjectOf = <F extends Fields>(result: Record<string, unknown>): ObjectOf<F> => result as ObjectOf<F>

const unknownParameter = (names: string[]): Problem =>
  new Problem((path) => ApiError.of('unknown_parameter', { path }, { param: path })).under(shorten(names[0] ?? ''))

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const at = (error: unknown, step: string | number): unknown =>
  error instanceof Problem ? error.under(step) : error
