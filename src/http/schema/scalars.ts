import { ApiError } from '../../base/api-error.ts'
import { Problem, wrongType } from './problem.ts'
import { type Schema, schema } from './schema.ts'

export const boolean: Schema<boolean> = schema({ type: 'boolean' }, (value) => {
  if (typeof value !== 'boolean') throw wrongType('a boolean', value)
  return value
})

/** A text that is too short is called empty. */
type TextLimits = { minLength?: 1; maxLength?: number; pattern?: string }

export const string = (limits: TextLimits = {}): Schema<string> => {
  const { minLength, maxLength = Number.POSITIVE_INFINITY, pattern } = limits
  const matches = pattern === undefined ? undefined : new RegExp(pattern)
  return schema({ type: 'string', ...limits }, (value) => {
    if (typeof value !== 'string') throw wrongType('a string', value)
    const { length } = value
    if (length === 0 && minLength !== undefined)
      throw new Problem((path) => ApiError.of('empty_string', { path }, { param: path }))
    if (length > maxLength)
      throw new Problem((path) =>
        ApiError.of('string_above_max_length', { path, maximum: maxLength, length }, { param: path }),
      )
    if (matches?.test(value) === false)
      throw new Problem((path) => ApiError.of('pattern_mismatch', { path, pattern: pattern ?? '' }, { param: path }))
    return value
  })
}

type Range = { min: number; max: number }
const bounds = ({ min, max }: Range) => ({ minimum: min, maximum: max })

export const decimal = (range: Range): Schema<number> =>
  schema({ type: 'number', ...bounds(range) }, (value) => {
    if (typeof value !== 'number') throw wrongType('a decimal', value)
    return inRange('decimal', value, range)
  })

export const integer = (range: Range): Schema<number> =>
  schema({ type: 'integer', ...bounds(range) }, (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType('an integer', value)
    return inRange('integer', value, range)
  })

const inRange = (kind: 'decimal' | 'integer', value: number, { min, max }: Range): number => {
  if (value > max)
    throw new Problem((path) => ApiError.of(`${kind}_above_max_value`, { path, maximum: max, value }, { param: path }))
  if (value < min)
    throw new Problem((path) => ApiError.of(`${kind}_below_min_value`, { path, minimum: min, value }, { param: path }))
  return value
}

export const oneOf = <const Word extends string>(...words: Word[]): Schema<Word> => {
  const byText = new Map<string, Word>(words.map((word) => [word, word]))
  return schema({ type: 'string', enum: words }, (value) => {
    if (typeof value !== 'string') throw wrongType('a string', value)
    const word = byText.get(value)
    if (word === undefined) throw notAmong(value, words)
    return word
  })
}

const notAmong = (value: string, words: readonly string[]): Problem =>
  new Problem((path) =>
    ApiError.of('invalid_value', { value: shorten(value), supported: enumerate(words) }, { param: path }),
  )

/** Errors repeat what was sent, but not at any length. */
export const shorten = (value: string): string => (value.length > 64 ? `${value.slice(0, 64)}…` : value)

/** 'a', 'b', and 'c' */
const enumerate = (words: readonly string[]): string => {
  const quoted = words.map((word) => `'${word}'`)
  const last = quoted.pop() ?? ''
  if (quoted.length === 0) return last
  return `${quoted.join(', ')}${quoted.length > 1 ? ',' : ''} and ${last}`
}
