import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openScriptedEngine } from '../../src/engine/scripted.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

const contextTokens = 1000
let helix: Helix
/** How many prompts were rendered and counted. */
let prepared = 0
beforeAll(async () => {
  const model = { id: modelName, contextTokens, maxTokenWords: 1 }
  const engine = openScriptedEngine({ model, answer: () => ['ok'] })
  const prepare: typeof engine.prepare = (conversation, signal) => {
    prepared += 1
    return engine.prepare(conversation, signal)
  }
  helix = await openHelix({ startEngine: () => ({ ...engine, prepare }) })
  return helix.close
})
beforeEach(() => {
  prepared = 0
})

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${helix.baseUrl}/${path}`, {
    method: 'POST',
    headers: { ...helix.authorized, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: modelName, max_tokens: 5, ...body }),
  })

const asked = [{ role: 'user', content: 'Hi' }]
/** A word after a space each. */
const prose = (words: number): string => ' word'.repeat(words)
const functions = (count: number, words: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `look_${index}`, description: prose(words), parameters: {} }))
const tools = (count: number, words: number) =>
  functions(count, words).map((one) => ({ type: 'function', function: one }))

test.each<[string, string, object]>([
  ['definitions of tools', 'chat/completions', { messages: asked, tools: tools(25, 40) }],
  ['one long message', 'chat/completions', { messages: [{ role: 'user', content: prose(1000) }] }],
  ['many messages', 'chat/completions', { messages: Array(100).fill({ role: 'user', content: prose(10) }) }],
  [
    'a message beside a schema',
    'chat/completions',
    {
      messages: [{ role: 'user', content: prose(1000) }],
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object', properties: {} } } },
    },
  ],
  [
    'tools of a message',
    'messages',
    {
      messages: asked,
      tools: functions(25, 40).map(({ parameters: input_schema, ...one }) => ({ ...one, input_schema })),
    },
  ],
  ['a text without words', 'completions', { prompt: 'x'.repeat(contextTokens * 128) }],
])('%s that cannot fit are refused before they are rendered', async (_, path, body) => {
  const response = await post(path, body)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(
    'maximum context length is 1000 tokens. However, your messages resulted in more',
  )
  expect(prepared).toBe(0)
})

test('tools of a response, too', async () => {
  const body = { model: modelName, input: 'Hi', tools: functions(25, 40).map((one) => ({ type: 'function', ...one })) }
  const headers = helix.authorized
  const response = await fetch(`${helix.baseUrl}/responses`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(await readError(response)).toMatchObject({ code: 'context_length_exceeded' })
  expect(prepared).toBe(0)
})

test('what might fit is counted', async () => {
  expect((await post('chat/completions', { messages: asked, tools: tools(24, 40) })).status).toBe(200)
  expect(prepared).toBe(1)
})

test('answers do not count, because templates may leave them out', async () => {
  const messages = [...asked, { role: 'assistant', content: prose(2000) }, ...asked]
  await post('chat/completions', { messages })
  expect(prepared).toBe(1)
})
