import { expect, test } from 'vitest'
import { readChunk } from './read-chunk.ts'

const read = (chunk: unknown) => [...readChunk(JSON.stringify(chunk), 'req_1')]
const choice = (delta: object, finish_reason: string | null = null) => ({ choices: [{ delta, finish_reason }] })

test('a token is text', () => {
  expect(read(choice({ content: 'Hi' }))).toEqual([{ type: 'text', text: 'Hi' }])
  expect(read(choice({ role: 'assistant', content: '', refusal: null }))).toEqual([])
})

test('reasoning comes before the answer', () => {
  expect(read(choice({ reasoning_content: 'Hm' }))).toEqual([{ type: 'reasoning', text: 'Hm' }])
})

test('a call begins with its name and goes on with its arguments', () => {
  const begun = { index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }
  expect(read(choice({ tool_calls: [begun] }))).toEqual([{ type: 'call', index: 0, id: 'call_1', name: 'f' }])
  const more = { index: 0, function: { arguments: '{"a"' } }
  expect(read(choice({ tool_calls: [more] }))).toEqual([{ type: 'arguments', index: 0, text: '{"a"' }])
})

test('the end gives the reason, and then the number of tokens', () => {
  expect(read(choice({}, 'length'))).toEqual([{ type: 'finish', reason: 'length' }])
  expect(read({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } })).toEqual([
    { type: 'usage', promptTokens: 3, completionTokens: 5 },
  ])
})

test('an error in the middle of a stream is thrown with its code', () => {
  const error = { message: 'stopped', type: 'server_error', param: null, code: 'engine_failed' }
  expect(() => read({ error })).toThrow(expect.objectContaining({ code: 'engine_failed', requestId: 'req_1' }))
})
