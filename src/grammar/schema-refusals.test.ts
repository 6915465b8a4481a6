import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anySchema } from '../../test/harness/any-schema.ts'
import { jsonSchemaGrammar } from './json-schema-grammar.ts'
import { createMatcher } from './matcher.ts'
import { SchemaRefused } from './schema-refused.ts'

const refusal = (schema: unknown, strict = false): SchemaRefused => {
  try {
    jsonSchemaGrammar(schema, { strict })
  } catch (error) {
    if (error instanceof SchemaRefused) return error
    throw error
  }
  throw new Error(`it was accepted: ${JSON.stringify(schema).slice(0, 200)}`)
}

const nest = (depth: number, wrap: (inner: unknown) => unknown, inner: unknown = { type: 'string' }): unknown =>
  Array.from({ length: depth }).reduce((schema) => wrap(schema), inner)

test('a keyword that limits values and cannot be followed is named', () => {
  const unsupported = [
    ...['not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'patternProperties', 'propertyNames'],
    ...['contains', 'minContains', 'unevaluatedProperties', 'unevaluatedItems', 'additionalItems', '$dynamicRef'],
  ]
  for (const keyword of unsupported) {
    const schema = { type: 'object', properties: { 'it\'s "a"': { anyOf: [true, { [keyword]: {} }] } } }
    const { message, context, reason } = refusal(schema)
    expect(context).toEqual(['properties', 'it\'s "a"', 'anyOf', '1'])
    expect(reason).toBe(`'${keyword}' is not permitted.`)
    expect(message).toBe(`In context=('properties', 'it\\'s "a"', 'anyOf', '1'), '${keyword}' is not permitted.`)
  }
})

test('invalid and impossible schemas are refused', () => {
  const refused: [unknown, RegExp][] = [
    [null, /In context=\(\), a schema must be/],
    ['string', /a schema must be/],
    [false, /allows no value/],
    [{ type: 'text' }, /'type' must be/],
    [{ type: [] }, /'type' must be/],
    [{ enum: [] }, /'enum' must be/],
    [{ type: 'array', items: [{}] }, /'items' must be/],
    [{ type: 'array', items: 3 }, /'items' must be/],
    [{ type: 'array', uniqueItems: true }, /'uniqueItems' must be/],
    [{ type: 'array', minItems: 2, maxItems: 1 }, /'minItems' is greater/],
    [{ type: 'array', items: false, minItems: 1 }, /allows no value/],
    [{ type: 'array', minItems: 1e12 }, /too large/],
    [{ type: 'string', minLength: 2, maxLength: 1 }, /'minLength' is greater/],
    [{ type: 'string', minLength: -1 }, /'minLength' must be/],
    [{ type: 'string', pattern: '(' }, /'pattern' cannot be enforced: a group is not closed/],
    [{ type: 'string', pattern: 'a(?=b)' }, /lookahead/],
    [{ type: 'string', pattern: '^a$', format: 'date' }, /only one/],
    [{ type: 'string', pattern: '^(ab*c*)*$', maxLength: 3 }, /together with these lengths/],
    [{ type: 'string', format: 'regex' }, /'format' of 'regex'/],
    [{ type: 'number', minimum: 2, maximum: 1 }, /no number lies/],
    [{ type: 'number', exclusiveMinimum: 1, maximum: 1 }, /no number lies/],
    [{ type: 'integer', minimum: 1.2, maximum: 1.8 }, /no integer lies/],
    [{ type: 'integer', multipleOf: 5 }, /'multipleOf' must be 1/],
    [{ type: 'integer', minimum: '1' }, /'minimum' must be/],
    [{ type: 'integer', exclusiveMinimum: true }, /'exclusiveMinimum' must be/],
    [{ type: 'object', required: ['a'], additionalProperties: false }, /allows no value/],
    [{ type: 'object', minProperties: 3, additionalProperties: true }, /'minProperties' cannot be enforced/],
    [{ type: 'object', minProperties: 2, maxProperties: 1 }, /greater/],
    [{ type: 'object', properties: [] }, /'properties' must be/],
    [{ type: 'object', properties: { a: 1 } }, /In context=\('properties', 'a'\), a schema must be/],
    [{ allOf: [{ type: 'string' }, { type: 'null' }] }, /allows no value/],
    [{ oneOf: [{ type: 'string' }, { type: ['string', 'null'] }] }, /exclude each other/],
    [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, /exclude each other/],
    [{ oneOf: [{ properties: { k: { const: 1 } } }, { properties: { k: { const: 2 } } }] }, /exclude each other/],
    [{ $ref: '#/$defs/none' }, /points to nothing/],
    [{ $ref: 'https://example.org/schema' }, /must point into the schema/],
    [{ $ref: '#name' }, /must point into the schema/],
    [{ $ref: '#/%zz' }, /must point into the schema/],
    [{ properties: { a: { $id: 'https://example.org/a', type: 'string' } } }, /'\$id'/],
    [JSON.parse('{"type":"number","maximum":1e999}'), /too large/],
  ]
  for (const [schema, message] of refused) expect(refusal(schema).message, JSON.stringify(schema)).toMatch(message)
})

test('schemas that only lead back to themselves are refused', () => {
  const circles: unknown[] = [
    { $ref: '#' },
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    { anyOf: [{ $ref: '#' }, { type: 'string' }] },
    { oneOf: [{ $ref: '#' }, { type: 'string' }] },
    { allOf: [{ $ref: '#' }] },
    { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] },
    { type: 'array', items: { $ref: '#' }, minItems: 1 },
    {
      $ref: '#/$defs/a',
      $defs: {
        a: { type: 'object', properties: { b: { $ref: '#/$defs/b' } }, required: ['b'] },
        b: { type: 'array', prefixItems: [{ $ref: '#/$defs/a' }], minItems: 1 },
      },
    },
  ]
  for (const schema of circles)
    expect(refusal(schema).message, JSON.stringify(schema)).toMatch(
      /infinite recursion|endless cycle|allows no value|exclude each other/,
    )
})

test('a way out of a circle is taken', () => {
  const chain = {
    type: 'object',
    properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
    required: ['next'],
  }
  const matcher = createMatcher(jsonSchemaGrammar(chain, { strict: false }))
  const end = matcher.advance(matcher.start, Buffer.from('{"next":{"next":null}}'))
  expect(end !== null && matcher.mustEnd(end)).toBe(true)
})

test('schemas that grow without measure are refused instead of followed', () => {
  const bomb = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `d${index}`,
      { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { anyOf: [{ minLength: index }, { maxLength: 90 - index }] }] },
    ]),
  )
  const pairs = Object.fromEntries(
    [2, 3, 5, 7, 11, 13, 17, 19, 23].flatMap((size) =>
      Array.from({ length: size }, (_, index) => [
        `p${size}-${index}`,
        { type: 'object', properties: { x: { $ref: `#/$defs/p${size}-${(index + 1) % size}` } } },
      ]),
    ),
  )
  const manyOptional = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`p${index}`, {}]))
  const chain = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`c${index}`, { $ref: `#/$defs/c${index + 1}` }]),
  )
  const cyclic: Record<string, unknown> = { type: 'object' }
  cyclic.properties = { self: cyclic }
  const hostile: unknown[] = [
    { $ref: '#/$defs/d0', $defs: { ...bomb, d40: { type: 'string' } } },
    { allOf: [2, 3, 5, 7, 11, 13, 17, 19, 23].map((size) => ({ $ref: `#/$defs/p${size}-0` })), $defs: pairs },
    { type: 'object', properties: manyOptional, maxProperties: 2_000 },
    { $ref: '#/$defs/c0', $defs: { ...chain, c20000: { type: 'string' } } },
    { enum: Array.from({ length: 200_000 }, (_, index) => index) },
    nest(5_000, (inner) => ({ type: 'array', items: inner })),
    nest(5_000, (inner) => ({ anyOf: [inner] })),
    nest(5_000, (inner) => [inner]),
    { const: nest(5_000, (inner) => [inner]) },
    cyclic,
  ]
  for (const schema of hostile) expect(refusal(schema).message).toMatch(/^In context=/)
})

test('names that every JavaScript object has are ordinary names, except the one that sets the prototype', () => {
  expect(refusal(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')).reason).toMatch(
    '__proto__',
  )
  expect(refusal({ type: 'object', required: ['__proto__'] }).reason).toMatch('__proto__')
  expect(refusal({ $ref: '#/constructor' }).reason).toMatch('points to nothing')
  expect(refusal({ $ref: '#/__proto__' }).reason).toMatch('points to nothing')
  const matcher = createMatcher(
    jsonSchemaGrammar({ type: 'object', properties: { constructor: { const: 1 } } }, { strict: false }),
  )
  const end = matcher.advance(matcher.start, Buffer.from('{"constructor":1}'))
  expect(end !== null && matcher.mustEnd(end)).toBe(true)
})

test('a schema that was damaged anywhere is understood or refused, and nothing else happens', () => {
  const junk = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom({ $ref: '#' }, { $ref: '#/$defs/tree' }, true, false),
  )
  fc.assert(
    fc.property(anySchema, fc.nat(), junk, ({ schema }, place, value) => {
      const places: [Record<string, unknown>, string][] = []
      const copy: unknown = structuredClone(schema)
      const walk = (node: unknown): void => {
        if (typeof node !== 'object' || node === null) return
        for (const [key, child] of Object.entries(node)) {
          places.push([Object(node), key])
          walk(child)
        }
      }
      walk(copy)
      const [owner, key] = places[place % places.length] ?? [{}, '']
      owner[key] = value
      try {
        createMatcher(jsonSchemaGrammar(copy, { strict: false }))
      } catch (error) {
        expect(error).toBeInstanceOf(SchemaRefused)
      }
    }),
    { numRuns: 500, endOnFailure: true },
  )
})
