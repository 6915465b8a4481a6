import fc from 'fast-check'
import { expect, test } from 'vitest'
import { speakGrammar } from '../../test/harness/speak-grammar.ts'
import { anyObjectGrammar } from './any-json-grammar.ts'
import { createMatcher } from './matcher.ts'

const matcher = createMatcher(anyObjectGrammar())
const accepts = (said: string): boolean => {
  const end = matcher.advance(matcher.start, Buffer.from(said))
  return end !== null && matcher.mayEnd(end)
}

test('any JSON object can be said, and nothing that is not one', () => {
  const value = fc
    .jsonValue({ maxDepth: 4, noUnicodeString: false })
    .map((drawn) => JSON.stringify(drawn, (_, item) => (typeof item === 'number' ? Math.round(item % 1e9) / 4 : item)))
  fc.assert(
    fc.property(value, (written) => {
      const isObject = written.startsWith('{')
      expect(accepts(written)).toBe(isObject)
      expect(accepts(JSON.stringify({ a: JSON.parse(written) }, null, 2))).toBe(true)
    }),
  )
})

test('whatever is said is one JSON object', () => {
  const random = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  fc.assert(
    fc.property(random, (numbers) => {
      const spoken = speakGrammar(anyObjectGrammar(), () => Number(numbers.next().value), { maxBytes: 300 })
      expect(Object.prototype.toString.call(JSON.parse(spoken))).toBe('[object Object]')
      expect(accepts(spoken)).toBe(true)
    }),
  )
})

test('objects may lie in each other as deep as an answer can be long', () => {
  expect(accepts(`${'{"a":['.repeat(5_000)}${']}'.repeat(5_000)}`)).toBe(true)
  expect(accepts(`${'{"a":['.repeat(5_000)}${']}'.repeat(4_999)}`)).toBe(false)
})
