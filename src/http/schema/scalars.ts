import { ApiError } from '../../base/errors.ts'
import { Problem, wrongType } from './problem.ts'

/** Takes a JSON value and returns it typed, or throws a `Problem`. */
export type Schema<Value> = (value: unknown) => Value

export const boolean: Schema<boolean> = (value) => {
  if (typeof value !== 'boolean') throw wrongType('a boolean', value)
  return value
}

/** JSON can spell half of a character (`\ud83d` alone), which no tokenizer and no UTF-8 can: it becomes U+FFFD. */
export const string =
  ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY } = {}): Schema<string> =>
  (value) => {
    if (typeof value !== 'string') throw wrongType('a string', value)
    if (value.length < minLength) throw new Problem((path) => ApiError.of('empty_string', { path }, { param: path }))
    const { length } = value
    if (length > maxLength)
      throw new Problem((path) =>
        ApiError.of('string_above_max_length', { path, maximum: maxLength, length }, { param: path }),
      )
    return value.toWellFormed()
  }

type Range = { min: number; max: number }

export const decimal =
  (range: Range): Schema<number> =>
  (value) => {
    if (typeof value !== 'number') throw wrongType('a decimal', value)
    return inRange('decimal', value, range)
  }

export const integer =
  (range: Range): Schema<number> =>
  (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType('an integer', value)
    return inRange('integer', value, range)
  }

const inRange = (kind: 'decimal' | 'integer', value: number, { min, max }: Range): number => {
  if (value > max)
    throw new Problem((path) => ApiError.of(`${kind}_above_max_value`, { path, maximum: max, value }, { param: path }))
  if (value < min)
    throw new Problem((path) => ApiError.of(`${kind}_below_min_value`, { path, minimum: min, value }, { param: path }))
  return value
}

export const oneOf =
  <const Word extends string>(...words: Word[]): Schema<Word> =>
  (value) => {
    if (typeof value !== 'string') throw wrongType('a string', value)
    const word = words.find((candidate) => candidate === value)
    if (word === undefined) throw notAmong(value, words)
    return word
  }

export const notAmong = (value: string, words: readonly string[]): Problem =>
  new Problem((path) =>
    ApiError.of('invalid_value', { value: shorten(value), supported: enumerate(words) }, { param: path }),
  )

/** A message repeats what was sent, but never a whole book of it. */
export const shorten = (value: string): string => (value.length > 64 ? `${value.slice(0, 64)}…` : value)

/** 'a', 'b', and 'c' */
const enumerate = (words: readonly string[]): string => {
  const quoted = words.map((word) => `'${word}'`)
  const last = quoted.pop() ?? ''
  if (quoted.length === 0) return last
  return `${quoted.join(', ')}${quoted.length > 1 ? ',' : ''} and ${last}`
}
