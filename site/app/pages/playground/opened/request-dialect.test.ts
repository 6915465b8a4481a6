import { expect, test } from 'vitest'
import { dialectOf, readBody } from './request-dialect.ts'

const models = [
  { id: 'vectors', kind: 'embedding' },
  { id: 'small', kind: 'chat' },
] as const

const messages = [{ role: 'user', content: 'Hi' }]
const block = (type: string) => [{ role: 'user', content: [{ type }] }]

test.each([
  [{ messages }, 'chat.completions'],
  [{ messages: block('image_url') }, 'chat.completions'],
  [{ messages, system: 'Be short.' }, 'messages'],
  [{ messages, tools: [{ name: 'f', input_schema: {} }] }, 'messages'],
  [{ messages: block('tool_result') }, 'messages'],
  [{ model: 'small', input: 'Hi' }, 'responses'],
  [{ model: 'vectors', input: 'Hi' }, 'embeddings'],
  [{ prompt: 'Once' }, 'completions'],
  [{ query: 'a', documents: ['b'] }, 'rerank'],
  [{ queries: ['a'], documents: ['b'] }, 'score'],
  [{ text_1: 'a', text_2: 'b' }, 'score'],
] as const)('%j from the playground is for %s', (body, dialect) => {
  expect(dialectOf('playground', body, models)).toBe(dialect)
})

test('of a request with a key the endpoint is known', () => {
  expect(dialectOf('messages', { messages }, models)).toBe('messages')
})

test.each(['', '[]', '{"messages": [', 'null'])('%j is no body', (text) => {
  expect(readBody(text)).toBeNull()
})
