import { expect, test } from 'vitest'
import { layeredSchema } from '../../test/harness/layered-schema.ts'
import { newGrammarBudget } from './grammar-rules.ts'
import { jsonSchemaGrammar } from './json-schema-grammar.ts'
import { SchemaRefused } from './schema-refused.ts'

/** What a schema costs, and whether it was understood. */
const measureCost = (schema: unknown): { steps: number; understood: boolean } => {
  const [full, budget] = [newGrammarBudget(), newGrammarBudget()]
  const spent = () => full.steps - budget.steps
  try {
    jsonSchemaGrammar(schema, { strict: false, budget })
    return { steps: spent(), understood: true }
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error
    expect(error.reason).toMatch(/too complex|allows no value/)
    return { steps: spent(), understood: false }
  }
}
const range = (length: number): number[] => Array.from({ length }, (_, index) => index)
const objectOf = (names: string[], makeValue: (index: number) => unknown) =>
  Object.fromEntries(names.map((name, index) => [name, makeValue(index)]))
const names = (count: number, prefix = 'p'): string[] => range(count).map((index) => `${prefix}${index}`)

test('layers of branches cost as much as is written down, not as many ends as they have', () => {
  const [few, many] = [measureCost(layeredSchema(8)), measureCost(layeredSchema(20))]
  expect([few.understood, many.understood]).toEqual([true, true])
  // 8 ** 7 is 2 million, 20 ** 7 is a thousand million.
  expect(few.steps).toBeLessThan(5_000)
  expect(many.steps).toBeLessThan(20_000)
})

test('many schemas that each name the same large one pay for it every time', () => {
  const big = { allOf: range(4_000).map((index) => ({ minLength: index % 3 })) }
  const schema = { type: 'object', properties: objectOf(names(4_000), () => ({ $ref: '#/$defs/big' })), $defs: { big } }
  expect(measureCost(schema).understood).toBe(false)
})

test.each([
  [
    'branches that say nothing beside many facets',
    () => ({ allOf: range(9_000).map(() => ({ type: 'string' })), anyOf: range(40_000).map(() => true) }),
  ],
  [
    'long lists that are compared in pairs',
    () => ({ oneOf: range(100).map((list) => ({ enum: range(900).map((item) => `${list}-${item}`) })) }),
  ],
  [
    'many names in many schemas',
    () => ({
      allOf: range(300).map((source) => ({
        type: 'object',
        properties: objectOf(names(100, `p${source}-`), () => ({})),
      })),
    }),
  ],
  [
    'one long text in many branches',
    () => ({ enum: ['x'.repeat(300_000)], anyOf: range(1_000).map((minLength) => ({ minLength })) }),
  ],
  [
    'one long value in many branches',
    () => ({ anyOf: range(500).map(() => ({ $ref: '#/$defs/c' })), $defs: { c: { const: range(40_000) } } }),
  ],
  [
    'one wide class in many branches',
    () => ({
      type: 'string',
      pattern: `[${range(4_000)
        .map((index) => String.fromCodePoint(0x3000 + index * 2))
        .join('')}]*`,
      anyOf: range(300).map((index) => ({ maxLength: index + 1 })),
    }),
  ],
  [
    'a long text and a pattern with very many readings',
    () => ({
      type: 'string',
      pattern: '^(a{0,99}){0,99}(b{0,99}){0,99}c$',
      enum: range(20).map((index) => `${'a'.repeat(9_000)}${'b'.repeat(9_000)}${index}`),
    }),
  ],
  [
    'objects whose required keys are compared at every depth',
    () => {
      const required = names(8)
      const layer = (index: number) => ({
        type: 'object',
        properties: objectOf(required, () => ({ $ref: `#/$defs/o${index + 1}` })),
        required,
      })
      return { oneOf: [{ $ref: '#/$defs/o0' }, layer(0)], $defs: { ...objectOf(names(7, 'o'), layer), o7: {} } }
    },
  ],
])('%s are refused within the budget', (_, schemaOf) => {
  expect(measureCost(schemaOf()).understood).toBe(false)
})

test('what is refused names its place in few words', () => {
  const name = 'n'.repeat(100_000)
  const schema = { type: 'object', properties: { [name]: { not: {} } } }
  expect(() => jsonSchemaGrammar(schema, { strict: false })).toThrow(SchemaRefused)
  try {
    jsonSchemaGrammar(schema, { strict: false })
  } catch (error) {
    expect(String(error).length).toBeLessThan(300)
  }
})
