import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completeJson } from './complete-json.ts'

test.each([
  ['{"choices":[{"message":{"content":"Hello wor', '{"choices":[{"message":{"content":"Hello wor"}}]}'],
  ['{"a":"half an escape\\', '{"a":"half an escape"}'],
  ['{"a":"\\\\\\u00e', '{"a":"\\\\"}'],
  ['{"a":"x","b":{"c":1,"d":2', '{"a":"x","b":{"c":1}}'],
  ['{"a":"x","half a na', '{"a":"x"}'],
  ['{"a":"x","b":', '{"a":"x"}'],
  ['{"a":"x","b":tru', '{"a":"x"}'],
  ['["a","b', '["a","b"]'],
  ['{', '{}'],
  ['"text', '"text"'],
])('%s', (text, expected) => {
  expect(completeJson(text)).toBe(expected)
})

test.each(['', 'nu', '12'])('nothing of %j is complete', (text) => {
  expect(completeJson(text)).toBeNull()
})

test('every beginning of a document is a document, whose texts are beginnings of those in it', () => {
  const holds = (whole: unknown, part: unknown): boolean => {
    if (typeof whole === 'string') return typeof part === 'string' && whole.startsWith(part)
    if (typeof whole !== 'object' || whole === null) return Object.is(JSON.stringify(whole), JSON.stringify(part))
    return Object.entries(part as object).every(([key, value]) => holds((whole as Record<string, unknown>)[key], value))
  }
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.object()), fc.nat(2), fc.nat(), (value, indent, cut) => {
      const json = JSON.stringify(value, null, indent)
      if (json === undefined) return
      const completed = completeJson(json.slice(0, cut % (json.length + 1)))
      if (completed !== null) expect(holds(JSON.parse(json), JSON.parse(completed))).toBe(true)
    }),
    { numRuns: 1000 },
  )
})
