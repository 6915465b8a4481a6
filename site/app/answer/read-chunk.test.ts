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

test('a token comes with its id and probability, and with what else could have stood there', () => {
  const logprob = (token: string, probability: number) => ({ token, logprob: Math.log(probability), bytes: [] })
  const content = [{ ...logprob('Hi', 0.5), top_logprobs: [logprob('Hi', 0.5), logprob('Ho', 0.25)] }]
  const chunk = { delta: { content: 'Hi' }, logprobs: { content }, finish_reason: null, token_ids: [42] }
  expect(read({ choices: [chunk] })).toEqual([
    { type: 'text', text: 'Hi' },
    {
      type: 'tokens',
      tokens: [
        {
          ...{ text: 'Hi', id: 42, probability: expect.closeTo(0.5) },
          candidates: [
            { text: 'Hi', probability: expect.closeTo(0.5) },
            { text: 'Ho', probability: expect.closeTo(0.25) },
          ],
        },
      ],
    },
  ])
})
