import { expect, test } from 'vitest'
import { jsonSchemaGrammar } from './json-schema-grammar.ts'

const messageOf = (schema: unknown): string | null => {
  try {
    jsonSchemaGrammar(schema, { strict: true, isOfficialOnly: true })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const closed = (properties: Record<string, unknown>, further: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...further,
})

test('a strict schema closes every object and requires every key', () => {
  expect(messageOf(closed({ a: { type: ['string', 'null'] }, b: closed({}) }))).toBeNull()
  expect(messageOf({ type: 'object', properties: {} })).toBe(
    `In context=(), 'additionalProperties' is required to be supplied and to be false.`,
  )
  expect(messageOf(closed({ a: { type: 'object', properties: {}, additionalProperties: true } }))).toBe(
    `In context=('properties', 'a'), 'additionalProperties' is required to be supplied and to be false.`,
  )
  expect(messageOf(closed({ a: {}, x: {} }, { required: ['a'] }))).toBe(
    `In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'x'.`,
  )
  expect(messageOf(closed({ a: {} }, { required: ['a', 'b'] }))).toMatch(`Extra required key 'b' supplied.`)
})

test('objects are looked for in arrays, branches and definitions', () => {
  const open = { type: 'object', properties: {} }
  const places: [Record<string, unknown>, string][] = [
    [closed({ a: { type: 'array', items: open } }), `('properties', 'a', 'items')`],
    [closed({ a: { anyOf: [{ type: 'null' }, open] } }), `('properties', 'a', 'anyOf', '1')`],
    [closed({ a: { $ref: '#/$defs/x' } }, { $defs: { x: open } }), `('$defs', 'x')`],
  ]
  for (const [schema, context] of places) expect(messageOf(schema)).toMatch(`In context=${context}, 'additionalProp`)
})

test('the root of a strict schema is an object, and not a choice', () => {
  expect(messageOf({ type: 'string' })).toBe(
    `In context=(), schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`,
  )
  expect(messageOf({ anyOf: [closed({})] })).toMatch(`got 'type: "None"'.`)
  expect(messageOf({ ...closed({}), anyOf: [closed({})] })).toMatch(`not have 'oneOf'/'anyOf'`)
  expect(messageOf(true)).toMatch(`got 'type: "None"'.`)
})

test('a strict schema has its limits', () => {
  const deep = (levels: number): Record<string, unknown> =>
    levels === 0 ? closed({}) : closed({ a: deep(levels - 1) })
  expect(messageOf(deep(10))).toBeNull()
  expect(messageOf(deep(11))).toMatch('10 levels of nesting')
  const wide = (count: number) => closed(Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, {}])))
  expect(messageOf(wide(5_000))).toBeNull()
  expect(messageOf(wide(5_001))).toMatch('5000 properties')
})

test('a strict schema says nothing that is not understood', () => {
  expect(messageOf(closed({ a: { type: 'string', format: 'zip-code' } }))).toMatch(`'format' of 'zip-code'`)
  expect(messageOf(closed({ a: { type: 'string', minLenght: 3 } }))).toMatch(`'minLenght' is not permitted.`)
  expect(() => jsonSchemaGrammar({ type: 'string', format: 'zip-code', 'x-note': 1 }, { strict: false })).not.toThrow()
})
