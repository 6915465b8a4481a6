import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

const parsed = (text: string): unknown => parseJson(Buffer.from(text))

test('a lone surrogate becomes U+FFFD anywhere, and a pair is unchanged', () => {
  expect(parsed('"a\\ud83db"')).toBe('a\ufffdb')
  expect(parsed('{"\\udc00":[{"a":"\\uD83D\\uDE00"},"\\ud83d"],"n":null}')).toEqual({
    '\ufffd': [{ a: '😀' }, '\ufffd'],
    n: null,
  })
  expect(parsed('"\\\\ud83d\\ude00"')).toBe('\\ud83d\ufffd')
})

test('any JSON value is unchanged, except for lone surrogates', () => {
  const half = fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00', '\\', 'u', 'd', '8') })
  fc.assert(
    fc.property(fc.dictionary(half, fc.oneof(half, fc.jsonValue({ maxDepth: 2 }))), (value) => {
      const expected = JSON.parse(JSON.stringify(value), (_, item) =>
        typeof item === 'string' ? item.toWellFormed() : item,
      )
      const { ...received } = parsed(JSON.stringify(value)) as object
      expect(Object.keys(received).every((key) => key.isWellFormed())).toBe(true)
      expect(new Set(Object.keys(received))).toEqual(new Set(Object.keys(expected).map((key) => key.toWellFormed())))
      if (Object.keys(expected).every((key) => key.isWellFormed())) expect(received).toEqual(expected)
    }),
  )
})

test('a key named __proto__ is a key like any other', () => {
  const value = parsed('{"__proto__":{"a":1},"b":"\\ud83d"}')
  expect(Object.keys(value as object)).toEqual(['__proto__', 'b'])
  expect(({} as { a?: number }).a).toBeUndefined()
})
