import { beforeAll, expect, test } from 'vitest'
import { postMessages } from '../harness/post-messages.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })
const tool = { name: 'f', input_schema: { type: 'object' } }

test.each<[string, Record<string, unknown>, string]>([
  ['no token limit', { max_tokens: undefined }, "Missing required parameter: 'max_tokens'."],
  ['no messages', { messages: [] }, 'messages'],
  ['an unknown role', { messages: [{ role: 'tool', content: 'x' }] }, 'tool'],
  ['an unknown field', { n: 2 }, "'n'"],
  ['a temperature above 1', { temperature: 1.5 }, 'temperature'],
  ['an image', user([{ type: 'image', source: {} }]), 'messages[0].content[0].type'],
  ['a document', user([{ type: 'document', source: {} }]), 'messages[0].content[0].type'],
  ['a tool that the provider runs', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'tools[0].type'],
  ['two tools of one name', { tools: [tool, tool] }, 'f'],
  ['a choice without tools', { tool_choice: { type: 'any' } }, 'tool_choice'],
  ['a choice that is not offered', { tools: [tool], tool_choice: { type: 'tool', name: 'g' } }, 'g'],
  ['a result without its call', user([{ type: 'tool_result', tool_use_id: 'toolu_9' }]), 'toolu_9'],
  [
    'a call without its result',
    {
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }] },
        { role: 'user', content: 'Hi' },
      ],
    },
    'toolu_1',
  ],
  ['a budget above the limit', { thinking: { type: 'enabled', budget_tokens: 2000 } }, 'thinking.budget_tokens'],
  ['a container', { container: 'c' }, 'container'],
])('%s is refused by name, in the shape of that API', async (_, body, named) => {
  const response = await postMessages(helix, body)
  expect(response.status).toBe(400)
  const { type, error, request_id } = JSON.parse(await response.text())
  expect([type, error.type, request_id]).toEqual(['error', 'invalid_request_error', response.headers.get('request-id')])
  expect(error.message).toContain(named)
})

test.each([
  [401, 'authentication_error', {}, { 'x-api-key': 'sk-wrong' }],
  [404, 'not_found_error', { model: 'claude' }, {}],
  [400, 'invalid_request_error', {}, { 'anthropic-version': 'tomorrow' }],
])('%i: %s', async (status, type, body, headers) => {
  const response = await postMessages(helix, body, { headers })
  expect([response.status, JSON.parse(await response.text()).error.type]).toEqual([status, type])
})

test('a thread is refused with the code by which tool runners go on without it', async () => {
  const response = await postMessages(helix, { thread: { type: 'create' } })
  expect(response.status).toBe(400)
  const { error } = JSON.parse(await response.text())
  expect([error.type, error.details]).toEqual(['invalid_request_error', { error_code: 'thread_unsupported_request' }])
  expect((await postMessages(helix, { thread: null })).status).toBe(200)
})

test.each([
  ['POST', '/batches', 404, 'not_found_error'],
  ['GET', '/batches/msgbatch_1/results', 404, 'not_found_error'],
  ['GET', '', 405, 'invalid_request_error'],
])('%s /v1/messages%s: %i in the shape of that API', async (method, path, status, errorType) => {
  const response = await fetch(`${helix.baseUrl}/messages${path}`, { method, headers: { 'x-api-key': helix.key } })
  const { type, error, request_id } = JSON.parse(await response.text())
  expect([response.status, type, error.type]).toEqual([status, 'error', errorType])
  expect(request_id).toBe(response.headers.get('request-id'))
})

test('a key as a bearer token is accepted, and no version is needed', async () => {
  const response = await fetch(`${helix.baseUrl}/messages`, {
    method: 'POST',
    headers: helix.authorized,
    body: JSON.stringify({ model: 'helix-v1', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  expect(response.status).toBe(200)
})

test('the header for keys of that API counts nowhere else', async () => {
  const response = await fetch(`${helix.baseUrl}/key`, { headers: { 'x-api-key': helix.key } })
  expect(response.status).toBe(401)
})
