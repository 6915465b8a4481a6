import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Sampling } from '../../src/engine/contract.ts'
import { anySchema } from '../harness/any-schema.ts'
import { askBothWays, readCompletion } from '../harness/ask-both-ways.ts'
import { anyCuts, cutBytes } from '../harness/cut-bytes.ts'
import { decompileGrammar } from '../harness/decompile-grammar.ts'
import { expectRefusal, official } from '../harness/expect-refusal.ts'
import { gridRuns } from '../harness/grid.ts'
import { type JoinedChoice, joinChunks } from '../harness/join-chunks.ts'
import { readChunks } from '../harness/read-events.ts'
import { schemaValidator } from '../harness/schema-validator.ts'
import { speakGrammar } from '../harness/speak-grammar.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

/** The engine says whatever the grammar it is held to lets it say. */
let random = Math.random
let cuts: number[] = [2, 3, 7, 20, 21]
let last: Sampling | null = null
let helix: Helix
beforeAll(async () => {
  helix = await openHelix({
    answer(_, sampling) {
      last = sampling
      const { constraint } = sampling
      const text =
        constraint === null ? 'free' : speakGrammar(decompileGrammar(constraint.grammar), random, { maxBytes: 300 })
      return cutBytes(Buffer.from(text), cuts)
    },
  })
  return helix.close
})

const closed = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const person = {
  ...closed({
    name: { type: 'string', description: 'In full.' },
    kind: { enum: ['cat', 'dog', '猫 "quoted"'] },
    age: { anyOf: [{ type: 'integer', minimum: 0, maximum: 150 }, { type: 'null' }] },
    friends: { type: 'array', items: { $ref: '#/$defs/friend' } },
    place: closed({ city: { type: 'string' }, position: { type: ['array', 'null'], items: { type: 'number' } } }),
    next: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
  }),
  $defs: { friend: closed({ since: { type: 'string', format: 'date' }, close: { type: 'boolean' } }) },
}
const contentOf = ([choice]: readonly JoinedChoice[]): string => choice?.message.content ?? ''
const strictly = (schema: unknown) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'person', strict: true, schema } },
})

test.each([true, false])('an answer with a strict schema matches it (stream: %s)', async (stream) => {
  const fits = schemaValidator(person)
  for (let round = 0; round < 20; round += 1) {
    const response = await helix.chat({ ...strictly(person), stream })
    const choices = stream ? joinChunks(await readChunks(response)) : (await readCompletion(response)).choices
    expect(choices).toMatchObject([{ finish_reason: 'stop', message: { refusal: null } }])
    expect(fits(JSON.parse(contentOf(choices))), contentOf(choices)).toBe(true)
    expect(last?.constraint?.after).toBeNull()
  }
})

test('the answer matches any schema, streamed or not', async () => {
  const numbers = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  await fc.assert(
    fc.asyncProperty(anySchema, numbers, anyCuts, async ({ schema }, stream, places) => {
      const drawn = [...stream.take(2000)]
      cuts = places
      const json_schema = { name: 'any', schema }
      // Both ways of asking must hear the same answer.
      const replay = () => {
        let index = 0
        return () => drawn[index++ % drawn.length] ?? 0
      }
      const ask = async (body: Record<string, unknown>) => {
        random = replay()
        return helix.chat({ response_format: { type: 'json_schema', json_schema }, ...body })
      }
      const { choices } = await readCompletion(await ask({}))
      const streamed = joinChunks(await readChunks(await ask({ stream: true })))
      expect(contentOf(streamed)).toBe(contentOf(choices))
      expect(schemaValidator(schema)(JSON.parse(contentOf(choices)))).toBe(true)
    }),
    { numRuns: gridRuns(60) },
  )
  random = Math.random
})

test('with json_object the answer is a JSON object', async () => {
  const messages = [{ role: 'user', content: 'Answer in JSON.' }]
  for (let round = 0; round < 20; round += 1) {
    const response = await helix.chat({ messages, response_format: { type: 'json_object' } })
    const { choices } = await readCompletion(response)
    expect(JSON.parse(contentOf(choices))).toBeTypeOf('object')
    expect(contentOf(choices).trimStart()).toMatch(/^\{/)
  }
})

test('json_object without the word in the messages is refused if the client wants official rules', async () => {
  await expectRefusal(
    helix,
    { response_format: { type: 'json_object' } },
    { param: 'messages', code: null, message: /must contain the word 'json'/ },
    official(helix),
  )
})

test.each<[string, object, RegExp]>([
  ['leaves further keys open', { type: 'object', properties: { a: {} }, required: ['a'] }, /additionalProperties/],
  ['does not require a property', { ...closed({ a: { type: 'string' } }), required: [] }, /Missing 'a'/],
  ['does so deep inside', closed({ a: { type: 'array', items: { type: 'object' } } }), /additionalProperties/],
  ['is no object', { type: 'array', items: { type: 'string' } }, /type: "object"/],
])(
  'a strict schema that %s is enforced as it is, or refused if the client wants official rules',
  async (_, schema, reason) => {
    const message = new RegExp(`^Invalid schema for response_format 'person': .*${reason.source}`, 's')
    await expectRefusal(helix, strictly(schema), { param: 'response_format', code: null, message }, official(helix))
    const fits = schemaValidator(schema)
    for (let round = 0; round < 5; round += 1) {
      const { choices } = await readCompletion(await helix.chat(strictly(schema)))
      expect(fits(JSON.parse(contentOf(choices))), contentOf(choices)).toBe(true)
    }
  },
)

test('json_object with a schema means that schema', async () => {
  const schema = closed({ a: { type: 'integer' } })
  const response = await helix.chat({ response_format: { type: 'json_object', schema } })
  const { choices } = await readCompletion(response)
  expect(schemaValidator(schema)(JSON.parse(contentOf(choices)))).toBe(true)
})

test('the same schema without strict is enforced too', async () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } } }
  const response = await helix.chat({ response_format: { type: 'json_schema', json_schema: { name: 'open', schema } } })
  const { choices } = await readCompletion(response)
  expect(schemaValidator(schema)(JSON.parse(contentOf(choices)))).toBe(true)
})

test.each([
  ['guided_choice', { guided_choice: ['yes', 'no', '多分'] }, /^(yes|no|多分)$/],
  ['structured_outputs.choice', { structured_outputs: { choice: ['a'] } }, /^a$/],
  ['guided_regex', { guided_regex: '[a-c]{3}-\\d{2}' }, /^[a-c]{3}-\d{2}$/],
  ['structured_outputs.regex', { structured_outputs: { regex: '(ab)+' } }, /^(ab)+$/],
  ['guided_json', { guided_json: { enum: [1, 2] } }, /^[12]$/],
  ['guided_json as text', { guided_json: '{"const": true}' }, /^true$/],
])('%s constrains the answer', async (_, asked, form) => {
  for (let round = 0; round < 5; round += 1) {
    const { choices } = await readCompletion(await helix.chat(asked))
    expect(contentOf(choices)).toMatch(form)
  }
})

test('response_format text does not constrain the answer', async () => {
  const { choices } = await askBothWays(helix, { response_format: { type: 'text' } })
  expect(choices[0]?.message.content).toBe('free')
})
