import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anySchema } from '../../test/harness/any-schema.ts'
import { gridRuns } from '../../test/harness/grid.ts'
import { schemaValidator } from '../../test/harness/schema-validator.ts'
import { speakGrammar } from '../../test/harness/speak-grammar.ts'
import { jsonSchemaGrammar } from './json-schema-grammar.ts'
import { createMatcher, type Matcher } from './matcher.ts'

const accepts = (matcher: Matcher, bytes: Uint8Array): boolean => {
  const end = matcher.advance(matcher.start, bytes)
  return end !== null && matcher.mayEnd(end)
}

const schemaMatcher = (schema: unknown): Matcher => createMatcher(jsonSchemaGrammar(schema, { strict: false }))

const random = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
const asSource =
  (stream: Iterator<number>): (() => number) =>
  () =>
    Number(stream.next().value)

test('whatever a grammar of a schema says is JSON that fits the schema, in whatever pieces it comes', () => {
  fc.assert(
    fc.property(anySchema, random, fc.infiniteStream(fc.integer({ min: 1, max: 7 })), ({ schema }, numbers, sizes) => {
      const grammar = jsonSchemaGrammar(schema, { strict: false })
      const spoken = speakGrammar(grammar, asSource(numbers), { maxBytes: 300 })
      expect(schemaValidator(schema)(JSON.parse(spoken)), spoken).toBe(true)

      const matcher = createMatcher(JSON.parse(JSON.stringify(grammar)))
      const bytes = Buffer.from(spoken)
      let state = matcher.start
      for (let at = 0; at < bytes.length; ) {
        const piece = bytes.subarray(at, at + sizes.next().value)
        const next = matcher.advance(state, piece)
        expect(matcher.allowsByte(state, piece[0] ?? 0)).toBe(true)
        expect(next, `${spoken} at ${at}`).not.toBeNull()
        state = next ?? state
        at += piece.length
      }
      expect(matcher.mayEnd(state)).toBe(true)
    }),
    { numRuns: gridRuns(200), endOnFailure: true },
  )
})

test('a text that was changed by one byte is refused, unless it still fits the schema', () => {
  fc.assert(
    fc.property(
      anySchema,
      random,
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 30 }),
      (...drawn) => {
        const [{ schema }, numbers, changes] = drawn
        const grammar = jsonSchemaGrammar(schema, { strict: false })
        const matcher = createMatcher(grammar)
        const fits = schemaValidator(schema)
        const bytes = Buffer.from(speakGrammar(grammar, asSource(numbers), { maxBytes: 200 }))
        for (const [place, byte] of changes) {
          const changed = Buffer.from(bytes)
          changed[place % changed.length] = place % 2 === 0 ? byte : (32 + byte) % 127
          if (accepts(matcher, changed)) expect(fits(JSON.parse(changed.toString())), changed.toString()).toBe(true)
          const shorter = bytes.subarray(0, place % bytes.length)
          if (accepts(matcher, shorter)) expect(fits(JSON.parse(shorter.toString())), shorter.toString()).toBe(true)
        }
      },
    ),
    { numRuns: gridRuns(200), endOnFailure: true },
  )
})

test('values that fit a schema can be written, densely or with line breaks', () => {
  const drawn = anySchema.chain(({ schema, values }) => values.map((value) => ({ schema, value })))
  fc.assert(
    fc.property(drawn, ({ schema, value }) => {
      const matcher = schemaMatcher(schema)
      const written = JSON.stringify(value)
      expect(accepts(matcher, Buffer.from(written)), written).toBe(true)
      const pretty = JSON.stringify(value, null, 2)
      expect(accepts(matcher, Buffer.from(pretty)), pretty).toBe(true)
    }),
    { numRuns: gridRuns(300), endOnFailure: true },
  )
})

test('keys that are not declared cannot be declared ones in another spelling', () => {
  const matcher = schemaMatcher({
    type: 'object',
    properties: { age: { type: 'integer' }, ag: { type: 'null' } },
    additionalProperties: { type: 'string' },
  })
  const says = (text: string): boolean => accepts(matcher, Buffer.from(text))
  expect(says('{"age":1,"ag":null,"agent":"x","a":"","":"y"}')).toBe(true)
  expect(says('{"age":"1"}')).toBe(false)
  expect(says('{"a\\u0067e":"1"}')).toBe(false)
  expect(says('{"x":"1","age":"1"}')).toBe(false)
})

test('a count of properties is kept', () => {
  const matcher = schemaMatcher({
    type: 'object',
    properties: { a: { const: 1 }, b: { const: 1 }, c: { const: 1 }, d: { const: 1 } },
    required: ['b'],
    minProperties: 2,
    maxProperties: 3,
  })
  for (let set = 0; set < 16; set += 1) {
    const names = ['a', 'b', 'c', 'd'].filter((_, index) => (set >> index) % 2 === 1)
    const allowed = names.includes('b') && names.length >= 2 && names.length <= 3
    const written = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))
    expect(accepts(matcher, Buffer.from(written)), written).toBe(allowed)
  }
  const free = schemaMatcher({ type: 'object', additionalProperties: true, minProperties: 1, maxProperties: 2 })
  expect(accepts(free, Buffer.from('{}'))).toBe(false)
  expect(accepts(free, Buffer.from('{"x":1,"y":[]}'))).toBe(true)
  expect(accepts(free, Buffer.from('{"x":1,"y":1,"z":1}'))).toBe(false)
})

test('white space between tokens is short', () => {
  const matcher = schemaMatcher({ type: 'array', items: { const: 1 } })
  expect(accepts(matcher, Buffer.from(`[\n${' '.repeat(20)}1, 1\n]`))).toBe(true)
  for (const long of [`[\n${' '.repeat(21)}1]`, '[  1]', '[\n\n1]', '[1] ', ' [1]'])
    expect(accepts(matcher, Buffer.from(long)), JSON.stringify(long)).toBe(false)
})

test('a list of values is narrowed by what else the schema asks', () => {
  const schema = {
    enum: ['a', 'bb', 1, 2.5, null, 'ccc'],
    type: ['string', 'integer'],
    maxLength: 2,
    pattern: '^[ab]+$',
  }
  const matcher = schemaMatcher(schema)
  const taken = schema.enum.filter((value) => accepts(matcher, Buffer.from(JSON.stringify(value))))
  expect(taken).toEqual(['a', 'bb', 1])
})

test('nothing can follow a finished object', () => {
  const matcher = schemaMatcher({ type: 'object', properties: {}, additionalProperties: false })
  const open = matcher.advance(matcher.start, Buffer.from('{'))
  const closed = matcher.advance(matcher.start, Buffer.from('{}'))
  expect(open !== null && matcher.mayEnd(open)).toBe(false)
  expect(closed !== null && matcher.mustEnd(closed)).toBe(true)
})
