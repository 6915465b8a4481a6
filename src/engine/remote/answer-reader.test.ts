import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../base/api-error.ts'
import type { EngineEvent } from '../contract.ts'
import { createAnswerReader } from './answer-reader.ts'

const readWith = (logprobs: boolean, values: readonly unknown[]) => {
  const reader = createAnswerReader({ logprobs, redact: (text) => text })
  const events: EngineEvent[] = []
  for (const value of values) reader.read(value, events)
  reader.end(events)
  return { events, reason: reader.reason(), stopText: reader.stopText?.(), usage: reader.usage() }
}
const chunk = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] })

test('what a newer API adds is left out, and the rest is read', () => {
  const { events, reason, usage } = readWith(false, [
    { object: 'chat.completion.something_new', step: 1 },
    { id: 'x', provider: 'y', ...chunk({ role: 'assistant', content: '', annotations: [{}], audio: { id: 'a' } }) },
    chunk({ reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] }),
    chunk(
      {
        content: [
          { type: 'something_new', data: {} },
          { type: 'text', text: 'Hi' },
        ],
      },
      { native_finish_reason: 1 },
    ),
    chunk({}, { finish_reason: 'some_new_reason', content_filter_results: {} }),
    { choices: [], usage: { prompt_tokens: 1, cost: 0.1 } },
  ])
  expect(events).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Hi' },
  ])
  expect([reason, usage]).toEqual(['stop', { prompt_tokens: 1, cost: 0.1 }])
})

test('the stop text that was found is read under the names of vLLM and SGLang, and a number is none', () => {
  const found = (more: object) =>
    readWith(false, [chunk({ content: 'a' }, { finish_reason: 'stop', ...more })]).stopText
  expect(found({ stop_reason: 'END' })).toBe('END')
  expect(found({ matched_stop: 'END' })).toBe('END')
  expect(found({ matched_stop: 151_645 })).toBeNull()
})

test.each([
  ['length', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'content_filter'],
  ['content_filter: RECITATION', 'content_filter'],
  ['function_call_filter: MALFORMED_FUNCTION_CALL', 'stop'],
  ['eos', 'stop'],
])('the finish reason `%s` of an upstream is `%s`', (finish_reason, expected) => {
  expect(readWith(false, [chunk({ content: 'Hi' }, { finish_reason })]).reason).toBe(expected)
})

test.each(['error', 'abort', 'insufficient_system_resource'])(
  'an answer that an upstream ends with `%s` is not complete',
  (finish_reason) => {
    expect(readWith(false, [chunk({ content: 'Half' }, { finish_reason })]).reason).toBeNull()
  },
)

test('an error in a choice is one of the answer', () => {
  const error = { code: 429, message: 'Too many.' }
  expect(() => readWith(false, [chunk({ content: '' }, { error, finish_reason: 'error' })])).toThrow(
    expect.objectContaining({ errorName: 'upstream_busy' }),
  )
})

test.each([
  [{ code: 400, message: 'Too long.' }, 'upstream_refused'],
  [{ code: '3505', message: 'Overloaded.' }, 'upstream_failed'],
])('an error with nothing around it is one: %j', (error, errorName) => {
  const read = () => readWith(false, [chunk({ content: 'a' }), { object: 'error', type: 'BadRequestError', ...error }])
  expect(read).toThrow(expect.objectContaining({ errorName }))
})

const anyJson = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 1e300, '', 'x', '\ud83d', [], {}, [null], [[{}]], { index: 0 }),
  fc.jsonValue({ maxDepth: 1 }),
)
const named = (names: readonly string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.dictionary(fc.constantFrom(...names), fc.oneof(value, anyJson), { maxKeys: 4 })
const entry = named(['token', 'logprob', 'bytes', 'top_logprobs'], fc.constantFrom('a', -1, [97], [{ token: 'b' }]))
const called = named(['name', 'arguments'], fc.constantFrom('look', '{}'))
const call = named(['index', 'id', 'type', 'function'], fc.oneof(called, fc.constantFrom(0, 1, 'call_1')))
const part = named(['type', 'text', 'thinking'], fc.constantFrom('text', 'thinking', [{ text: 'x' }]))
const delta = named(
  ['role', 'content', 'refusal', 'reasoning', 'reasoning_content', 'tool_calls', 'function_call'],
  fc.oneof(
    fc.constantFrom('a', 'ab', '\ud83d'),
    fc.array(call, { maxLength: 3 }),
    fc.array(part, { maxLength: 2 }),
    called,
  ),
)
const choice = named(
  ['index', 'delta', 'message', 'text', 'logprobs', 'finish_reason', 'stop_reason', 'matched_stop', 'error'],
  fc.oneof(
    delta,
    named(['content', 'tokens', 'top_logprobs'], fc.array(entry, { maxLength: 2 })),
    fc.constantFrom(0, 'stop', null),
  ),
)
const event = named(['id', 'object', 'choices', 'usage', 'error'], fc.array(choice, { maxLength: 2 }))

test('no schema and no event makes it throw anything but an error for callers', () => {
  const survives = fc.property(
    fc.boolean(),
    fc.array(fc.oneof(event, anyJson), { maxLength: 8 }),
    (logprobs, values) => {
      try {
        readWith(logprobs, values)
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
      }
    },
  )
  fc.assert(survives, { numRuns: 150 })
})
