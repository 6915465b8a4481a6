import { beforeAll, expect, test } from 'vitest'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})
const strict = { 'x-helix-strict': '1' }
const post = async (path: string, body: Record<string, unknown>, headers: Record<string, string> = {}) => {
  const response = await fetch(`${helix.baseUrl}/${path}`, {
    method: 'POST',
    headers: { ...helix.authorized, ...headers },
    body: JSON.stringify({ model: modelName, ...body }),
  })
  const { error } = JSON.parse(await response.text())
  return { status: response.status, message: String(error?.message), code: error?.code, param: error?.param }
}

const user = { role: 'user', content: 'Hi' }
const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }] }
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] }
const call = {
  role: 'assistant',
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
}
const anthropicTool = { name: 'f', input_schema: { type: 'object' } }
const openaiTool = { type: 'function', function: { name: 'f' } }

test.each<[string, string, Record<string, unknown>, string]>([
  ['a system prompt of its own', 'chat/completions', { system: 'Be brief.', messages: [user] }, 'messages'],
  ['blocks with calls', 'chat/completions', { max_tokens: 9, messages: [user, use, result] }, 'messages'],
  ['tools with an input schema', 'chat/completions', { messages: [user], tools: [anthropicTool] }, 'messages'],
  ['an input', 'chat/completions', { input: 'Hi' }, 'responses'],
  ['texts to embed', 'chat/completions', { input: ['Hi', 'Ho'] }, 'embeddings'],
  ['a prompt', 'chat/completions', { prompt: 'Once' }, 'completions'],
  ['messages', 'responses', { messages: [user] }, 'chat/completions'],
  ['messages with blocks', 'responses', { max_tokens: 9, messages: [user, use, result] }, 'messages'],
  ['a prompt', 'responses', { prompt: 'Once' }, 'completions'],
  ['messages', 'completions', { messages: [user] }, 'chat/completions'],
  ['messages with a system prompt', 'completions', { system: 'x', max_tokens: 9, messages: [user] }, 'messages'],
  ['an input', 'completions', { input: [user] }, 'responses'],
  ['an input', 'messages', { input: 'Hi', max_tokens: 9 }, 'responses'],
  ['a prompt', 'messages', { prompt: 'Once', max_tokens: 9 }, 'completions'],
  [
    'calls and their outputs',
    'messages',
    { messages: [user, call, { role: 'tool', tool_call_id: 'a', content: 'x' }] },
    'chat/completions',
  ],
  ['tools with functions', 'messages', { max_tokens: 9, messages: [user], tools: [openaiTool] }, 'chat/completions'],
])('%s at /v1/%s: the error names the endpoint to use', async (_, path, body, other) => {
  const { status, message } = await post(path, body)
  expect(status).toBe(400)
  expect(message).toMatch(/[.!?] The body looks like a request to POST \/v1\/[a-z/]+; send it there\.$/)
  expect(message).toContain(`POST /v1/${other};`)
})

test('the code and the path of the error stay the same', async () => {
  const [unknown, unsupported] = ['unknown_parameter', 'unsupported_parameter']
  const body = { messages: [user] }
  expect(await post('responses', body)).toMatchObject({ code: unsupported, param: 'messages' })
  expect(await post('completions', body)).toMatchObject({ code: unsupported, param: 'messages' })
  expect(await post('responses', body, strict)).toMatchObject({ code: unknown, param: 'messages' })
  expect(await post('completions', body, strict)).toMatchObject({ code: null, param: null })
})

test.each<[string, string, Record<string, unknown>]>([
  ['an unknown field', 'chat/completions', { messages: [user], colour: 'red' }],
  ['no messages', 'chat/completions', {}],
  ['no token limit', 'messages', { messages: [user] }],
  ['an unknown field beside the input', 'responses', { input: 'Hi', messages: [user] }],
  ['a saved prompt', 'responses', { prompt: { id: 'pmpt_1' } }],
  ['an unknown field beside the prompt', 'completions', { prompt: 'Once', messages: [user] }],
  ['fields of both', 'chat/completions', { messages: [user], system: 'x', response_format: { type: 'text' } }],
])('%s at /v1/%s is not mistaken for another request', async (_, path, body) => {
  const { status, message } = await post(path, body, strict)
  expect(status).toBe(400)
  expect(message).not.toContain('looks like')
})
