import { expect, test } from 'vitest'
import { type StoredEchoes, storedCompletionJson, storedEchoesJson } from './stored-completion-json.ts'

const echoes: StoredEchoes = {
  toolChoice: 'auto',
  seed: 1,
  topP: 0.9,
  temperature: 0,
  presencePenalty: 0.5,
  frequencyPenalty: -0.5,
  inputUser: 'user-1',
  tools: [{ type: 'function', function: { name: 'f' } }],
  responseFormat: { type: 'text' },
}

const asked = { requestId: 'req_1', turnAfter: () => undefined }

test('what was answered stays, the echoes stand beside it, and the metadata is kept elsewhere', async () => {
  const toolCalls = [{ id: 'call_123456789', type: 'function', function: { name: 'f', arguments: '{}' } }]
  const completion = {
    id: 'chatcmpl-1',
    service_tier: 'default',
    usage: { total_tokens: 3 },
    metadata: { a: 'b' },
    choices: [
      { index: 0, message: { role: 'assistant', content: null, refusal: null, tool_calls: toolCalls } },
      { index: 1, message: { role: 'assistant', content: 'Hi', refusal: null } },
    ],
  }
  expect(JSON.parse(await storedCompletionJson({ completion, ...asked, echoes: storedEchoesJson(echoes) }))).toEqual({
    id: 'chatcmpl-1',
    service_tier: 'default',
    usage: { total_tokens: 3 },
    request_id: 'req_1',
    tool_choice: 'auto',
    seed: 1,
    top_p: 0.9,
    temperature: 0,
    presence_penalty: 0.5,
    frequency_penalty: -0.5,
    input_user: 'user-1',
    tools: echoes.tools,
    response_format: { type: 'text' },
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: null, refusal: null, tool_calls: toolCalls, function_call: null },
      },
      { index: 1, message: { role: 'assistant', content: 'Hi', refusal: null, tool_calls: null, function_call: null } },
    ],
  })
})

test('what was left out of the request is null, not missing', async () => {
  const nothing = { ...echoes, toolChoice: undefined, tools: undefined, responseFormat: undefined, seed: null }
  const text = await storedCompletionJson({ completion: { choices: [] }, ...asked, echoes: storedEchoesJson(nothing) })
  expect(JSON.parse(text)).toMatchObject({ tool_choice: null, tools: null, response_format: null, seed: null })
})
