import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bodyHash } from './body-hash.ts'

const hex = (body: unknown): string => Buffer.from(bodyHash(body)).toString('hex')

test('neither the order of keys nor white space matters', () => {
  const sent = '{"model":"m","messages":[{"role":"user","content":"Hi"}],"n":1}'
  const again = '{ "n": 1.0,\n "messages": [ { "content": "Hi", "role": "user" } ], "model": "m" }'
  expect(hex(JSON.parse(sent))).toBe(hex(JSON.parse(again)))
})

test.each([
  ['a value', '{"a":1}', '{"a":2}'],
  ['a type', '{"a":1}', '{"a":"1"}'],
  ['the order of a list', '{"a":[1,2]}', '{"a":[2,1]}'],
  ['a key that is null', '{"a":1}', '{"a":1,"b":null}'],
  ['a key with a special meaning', '{}', '{"__proto__":{}}'],
  ['a key in a key', '{"a":{"b":1}}', '{"a":{},"b":1}'],
])('%s matters', (_, one, other) => {
  expect(hex(JSON.parse(one))).not.toBe(hex(JSON.parse(other)))
})

test('two bodies have the same hash exactly if they are the same JSON', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, item]) => [key, reversed(item)]),
    )
  }
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const sent: unknown = JSON.parse(JSON.stringify(value))
      expect(hex(reversed(sent))).toBe(hex(sent))
      expect(hex([sent])).not.toBe(hex(sent))
    }),
  )
})
