import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ApiError } from '../../base/api-error.ts'
import { array, nullable, object, optional } from './containers.ts'
import { Problem } from './problem.ts'
import { boolean, decimal, integer, oneOf, string } from './scalars.ts'
import { type Schema, schema } from './schema.ts'

const refusal = (expected: Schema<unknown>, value: unknown): ApiError => {
  try {
    expected(value)
  } catch (error) {
    if (error instanceof Problem) return error.toApiError()
    throw error
  }
  throw new Error('it was accepted')
}

/** A schema of this path, and a value that holds `leaf` at its end. */
const nest = (steps: (string | number)[], leaf: unknown): { schema: Schema<unknown>; value: unknown } =>
  steps.reduceRight<{ schema: Schema<unknown>; value: unknown }>(
    (inner, step) =>
      typeof step === 'string'
        ? { schema: object({ [step]: inner.schema }), value: { [step]: inner.value } }
        : {
            // The items before it are right, so the index must be counted.
            schema: array(schema({}, (item) => (item === 'right' ? item : inner.schema(item)))),
            value: [...Array.from({ length: step }, () => 'right'), inner.value],
          },
    { schema: boolean, value: leaf },
  )

test('a problem has its path in the official spelling, at any depth', () => {
  const name = fc.stringMatching(/^[a-z_]{1,10}$/).filter((word) => !(word in Object.prototype))
  const steps = fc.array(fc.oneof(name, fc.nat({ max: 5 })), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(name, steps, (first, rest) => {
      const path = rest.reduce<string>(
        (shown, step) => shown + (typeof step === 'number' ? `[${step}]` : `.${step}`),
        first,
      )
      const { schema, value } = nest([first, ...rest], 'not a boolean')
      expect(refusal(schema, value).options.param).toBe(path)
      const { value: right } = nest([first, ...rest], true)
      expect(schema(right)).toEqual(right)
    }),
  )
})

test('numbers are accepted within their range, and nothing else is', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (value) => {
      const range = { min: -2, max: 2 }
      const inRange = value >= -2 && value <= 2
      if (inRange) expect(decimal(range)(value)).toBe(value)
      else expect(refusal(decimal(range), value).code).toMatch(/^decimal_(above_max|below_min)_value$/)
      if (inRange && Number.isInteger(value)) expect(integer(range)(value)).toBe(value)
      else expect(refusal(integer(range), value).code).toMatch(/^(integer_(above_max|below_min)_value|invalid_type)$/)
    }),
  )
})

test('each key of an object is required, optional or unknown', () => {
  const schema = object({ a: boolean, b: optional(nullable(boolean)) })
  expect(schema({ a: true })).toEqual({ a: true })
  expect(schema({ a: true, b: null })).toEqual({ a: true, b: null })
  expect(refusal(schema, { b: true })).toMatchObject({
    errorName: 'missing_required_parameter',
    options: { param: 'a' },
  })
  expect(refusal(schema, { a: true, c: 1 })).toMatchObject({ errorName: 'unknown_parameter', options: { param: 'c' } })
  expect(refusal(schema, { a: null }).message).toBe("Invalid type for 'a': expected a boolean, but got null instead.")
  for (const value of [null, [], 'x', 1]) expect(refusal(schema, value).errorName).toBe('invalid_type')
})

test('an inherited property is not a key', () => {
  const schema = object({ toString: optional(boolean), constructor: boolean })
  expect(refusal(schema, {})).toMatchObject({
    errorName: 'missing_required_parameter',
    options: { param: 'constructor' },
  })
})

test('values are listed as in a sentence', () => {
  const supported = (...words: string[]) => refusal(oneOf(...words), 'x').message.split('are: ')[1]
  expect(supported('a')).toBe("'a'.")
  expect(supported('a', 'b')).toBe("'a' and 'b'.")
  expect(supported('a', 'b', 'c')).toBe("'a', 'b', and 'c'.")
})

test('a string has minimum and maximum lengths', () => {
  const text = string({ minLength: 1, maxLength: 3 })
  expect(refusal(text, '').errorName).toBe('empty_string')
  expect(refusal(text, 'abcd').errorName).toBe('string_above_max_length')
  expect(text('日本語')).toBe('日本語')
})
