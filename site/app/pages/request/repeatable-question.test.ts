import { expect, test } from 'vitest'
import { repeatableQuestion } from './repeatable-question.ts'

test('a chat request is asked again with its parameters, as one streamed answer that is not stored', () => {
  const messages = [{ role: 'user', content: 'Hi' }]
  const stored = { model: 'a', messages, temperature: 0, n: 3, stream: false, store: true, metadata: { a: 'b' } }
  expect(repeatableQuestion(JSON.stringify(stored))).toEqual({ model: 'a', messages, temperature: 0 })
})

test.each(['{"model": "a", "input": "Hi"}', '{"model": "a", "mess', '[]', '{"messages": []}'])(
  'what is no chat request is not: %s',
  (text) => {
    expect(repeatableQuestion(text)).toBeNull()
  },
)
