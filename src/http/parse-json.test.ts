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

test('of a text that is too long, at least the limit is left; everything else is unchanged', () => {
  const unit = fc.constantFrom('a', '猫', '😀', '\n', '"', '\\', ' ')
  const long = fc.string({ unit, maxLength: 300 })
  const json = fc.record({ a: long, list: fc.array(fc.record({ text: long, other: long }), { maxLength: 3 }), b: long })
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 100 }), fc.constantFrom(0, 1), (value, maxBytes, indent) => {
      const paths = /^(a|list\[\d+\]\.text)$/
      const read = parseJson(Buffer.from(JSON.stringify(value, null, indent)), { paths, maxBytes }) as typeof value
      const isShortened = (text: string, whole: string): boolean =>
        text !== whole && whole.startsWith(text) && Buffer.byteLength(text) >= maxBytes
      const changed = [
        isShortened(read.a, value.a),
        ...value.list.map(({ text }, index) => isShortened(read.list[index]?.text ?? '', text)),
      ]
      expect(changed.filter(Boolean).length).toBeLessThanOrEqual(1)
      const restored = {
        ...read,
        a: changed[0] ? value.a : read.a,
        list: read.list.map((item, index) => (changed[index + 1] ? { ...item, text: value.list[index]?.text } : item)),
      }
      expect(restored).toEqual(value)
    }),
  )
})

test('a text without escapes is shortened, a key of the same length is not, and positions are those of the whole body', () => {
  const shortened = { paths: /^a(\.b)?$/, maxBytes: 30 }
  const text = 'x'.repeat(100)
  const read = (body: string): unknown => parseJson(Buffer.from(body), shortened)
  const { a } = read(`{"a" : "${text}"}`) as { a: string }
  expect(a.length).toBeGreaterThanOrEqual(30)
  expect(a.length).toBeLessThan(60)
  expect(read(`{"a":{"${text}":1,"b":"c"}}`)).toEqual({ a: { [text]: 1, b: 'c' } })
  expect(() => read(`{"a":"${text}",}`)).toThrow(/position 108/)
})
