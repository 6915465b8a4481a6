import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../../base/api-error.ts'
import type { EngineEvent } from '../../contract.ts'
import { createMessagesReader } from './messages-reader.ts'

const read = (...values: unknown[]) => readWith(false, values)
const readWith = (signatures: boolean, values: unknown[]) => {
  const reader = createMessagesReader({ redact: (text) => text, hideSecrets: (text) => text, signatures })
  const events: EngineEvent[] = []
  for (const value of values) reader.read(value, events)
  reader.end(events)
  return { events, reason: reader.reason(), usage: reader.usage(), isDone: reader.isDone?.() }
}

test('what a newer API adds is left out, and the rest is read', () => {
  const { events, reason, isDone } = read(
    { type: 'message_start', message: { usage: { input_tokens: 4, output_tokens: 1 } } },
    { type: 'ping' },
    { type: 'something_new', index: 0, content: [{}] },
    { type: 'content_block_start', index: 0, content_block: { type: 'server_tool_use', id: 'a', name: 'web_search' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'x' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'message_delta', delta: { stop_reason: 'some_new_reason' } },
    { type: 'message_stop' },
  )
  expect(events).toEqual([{ type: 'text', text: 'Hi' }])
  expect([reason, isDone]).toEqual(['stop', true])
})

test('tokens from the cache belong to the prompt, and counts may come in parts', () => {
  const usage = { input_tokens: 3, cache_read_input_tokens: 10, cache_creation_input_tokens: 5, output_tokens: 1 }
  const { usage: counted } = read(
    { type: 'message_start', message: { usage } },
    { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 7 } },
  )
  expect(counted).toEqual({
    ...{ prompt_tokens: 18, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 10 } },
  })
})

test('tokens of thinking are those of reasoning, and what the beginning counts as output is no count of the answer', () => {
  const started = { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } }
  const ended = (usage: object) => ({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage })
  const details = { output_tokens_details: { thinking_tokens: 4 } }
  expect(read(started, ended({ output_tokens: 7, ...details })).usage).toMatchObject({
    ...{ prompt_tokens: 3, completion_tokens: 7, completion_tokens_details: { reasoning_tokens: 4 } },
  })
  expect(read(started, ended({ output_tokens: null })).usage?.completion_tokens).toBeUndefined()
  const whole = { type: 'message', content: [], stop_reason: 'end_turn', usage: { output_tokens: 7, ...details } }
  expect(read(whole).usage).toMatchObject({ completion_tokens_details: { reasoning_tokens: 4 } })
})

const types = fc.constantFrom(
  ...[
    'message_start',
    'content_block_start',
    'content_block_delta',
    'message_delta',
    'message_stop',
    'error',
    'message',
  ],
)
const fields = fc.constantFrom('message', 'index', 'content_block', 'delta', 'usage', 'content', 'error', 'stop_reason')
const anyJson = fc.jsonValue({ maxDepth: 1 })
const inner = fc.dictionary(
  fc.constantFrom('type', 'text', 'thinking', 'partial_json', 'id', 'name', 'input', 'usage', 'input_tokens'),
  fc.oneof(anyJson, fc.constantFrom('text', 'text_delta', 'tool_use', 'input_json_delta', 'thinking')),
)

test('no schema makes it throw anything but an error for callers', () => {
  const event = fc
    .tuple(types, fc.dictionary(fields, fc.oneof(inner, fc.array(inner), anyJson)))
    .map(([type, more]) => ({ ...more, type }))
  const survives = fc.property(fc.array(fc.oneof(event, anyJson), { maxLength: 8 }), (values) => {
    try {
      read(...values)
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError)
    }
  })
  fc.assert(survives, { numRuns: 150 })
})
