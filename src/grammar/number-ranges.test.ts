import fc from 'fast-check'
import { expect, test } from 'vitest'
import { schemaValidator } from '../../test/harness/schema-validator.ts'
import { speakGrammar } from '../../test/harness/speak-grammar.ts'
import { decimalRange } from './decimal-range.ts'
import type { GrammarNode } from './grammar.ts'
import { isProductive } from './grammar-analysis.ts'
import { integerRange } from './integer-range.ts'
import { jsonSchemaGrammar } from './json-schema-grammar.ts'
import { createMatcher } from './matcher.ts'

const tester = (node: GrammarNode): ((said: string) => boolean) => {
  const matcher = createMatcher({ root: 'number', rules: { number: node } })
  return (said) => {
    const end = matcher.advance(matcher.start, Buffer.from(said))
    return end !== null && matcher.mayEnd(end)
  }
}

test('a range of integers holds exactly its integers', () => {
  const bound = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -1200n, max: 1200n }))
  fc.assert(
    fc.property(bound, bound, fc.array(bound), (a, b, others) => {
      const [low, high] = a < b ? [a, b] : [b, a]
      const accepts = tester(integerRange(low, high))
      for (const value of [...others, low, high, low - 1n, high + 1n, 0n, -1n, 1n, (low + high) / 2n])
        expect(accepts(`${value}`), `${value} in ${low}…${high}`).toBe(low <= value && value <= high)
      for (const odd of ['', '-', '-0', '00', '01', '+1', '1.0']) expect(accepts(odd)).toBe(false)
    }),
  )
})

test('a range of decimals holds all short decimals between its limits, and none beyond', () => {
  const hundredths = fc.integer({ min: -2_500, max: 2_500 })
  fc.assert(
    fc.property(
      hundredths,
      hundredths,
      fc.boolean(),
      fc.boolean(),
      fc.array(hundredths),
      (a, b, first, last, others) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        const node = decimalRange({ value: low / 100, inclusive: first }, { value: high / 100, inclusive: last })
        if (!isProductive(node, new Set())) {
          expect(high - low).toBe(0)
          return
        }
        const accepts = tester(node)
        for (const value of [...others, low, high, low - 1, low + 1, high - 1, high + 1, 0]) {
          const isIn = (first ? value >= low : value > low) && (last ? value <= high : value < high)
          expect(accepts(`${value / 100}`), `${value} in ${low}…${high}`).toBe(isIn)
          if (value > 0) expect(accepts((value / 100).toFixed(5)), `${value} in ${low}…${high}`).toBe(isIn)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('whatever limits numbers have, what is said keeps them', () => {
  const limit = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -1e4, max: 1e4, noNaN: true }),
    fc.integer({ min: -20, max: 20 }).map((tenths) => tenths / 10),
    fc.constantFrom(2 ** 53, -(2 ** 53), 2 ** 63, -(2 ** 63), 1e15, 1e16, 5e-324, 0.1 + 0.2),
  )
  const limits = fc.record(
    { minimum: limit, maximum: limit, exclusiveMinimum: limit, exclusiveMaximum: limit },
    { requiredKeys: [] },
  )
  const random = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  let understood = 0
  fc.assert(
    fc.property(fc.constantFrom('integer', 'number'), limits, random, (type, drawn, numbers) => {
      const schema = { type, ...drawn }
      let grammar: ReturnType<typeof jsonSchemaGrammar>
      try {
        grammar = jsonSchemaGrammar(schema, { strict: false })
      } catch {
        return
      }
      understood += 1
      const fits = schemaValidator(schema)
      for (let round = 0; round < 20; round += 1) {
        const spoken = speakGrammar(grammar, () => Number(numbers.next().value))
        expect(fits(JSON.parse(spoken)), `${spoken} for ${JSON.stringify(schema)}`).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
  expect(understood).toBeGreaterThan(40)
})
