import { expect, test } from 'vitest'
import type { UsableModel } from '../../../../../src/platform/contract/models.ts'
import type { RequestEndpoint } from '../../../../../src/platform/contract/request-kinds.ts'
import { buildRequest } from '../build-request.ts'
import { checkSettings } from '../check-settings.ts'
import type { PlaygroundContent } from '../draft-content.ts'
import { contentOfRequest } from './content-of-request.ts'

const models: UsableModel[] = [
  { id: 'vectors', kind: 'embedding', contextTokens: 512, capabilities: [], sampling: null },
]

const open = (endpoint: RequestEndpoint, body: object): PlaygroundContent => {
  const opened = contentOfRequest({ endpoint, model: null, body: JSON.stringify(body) }, models)
  if (opened === null) throw new Error('it was not read')
  return opened
}

/** What Send would send. */
const resend = (content: PlaygroundContent) => {
  const { options, errors } = checkSettings(content.settings)
  expect(errors).toEqual({})
  const sent = content.draft === '' ? [] : [{ kind: 'sent' as const, id: 'draft', text: content.draft }]
  const {
    stream: _,
    stream_options: __,
    ...request
  } = buildRequest({
    ...content,
    turns: [...content.turns, ...sent],
    options,
  })
  return request
}

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const tool = { type: 'function', function: { name: 'weather', description: 'Tells it', parameters } }
const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }

test('a chat request is opened so that the same would be sent again', () => {
  const request = {
    model: 'helix-v1',
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'done' },
      { role: 'user', content: 'And?' },
    ],
    temperature: 0.5,
    max_completion_tokens: 9,
    stop: ['a\nb'],
    tools: [tool],
    tool_choice: 'required',
  }
  const opened = open('chat.completions', { ...request, stream: true, store: false, metadata: { a: 'b' }, n: 1 })
  expect(opened.draft).toBe('And?')
  expect(resend(opened)).toEqual(request)
  expect(opened.leftOut).toEqual([])
})

test('what the playground cannot show of a chat request is named', () => {
  const content = open('chat.completions', {
    model: 'a',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: '[image/png, 70 bytes]' } },
        ],
      },
      { role: 'assistant', content: 'I see', reasoning_content: 'Hm' },
      { role: 'user', content: 'So?' },
    ],
    max_tokens: 5,
    stop: 'x',
    top_k: 3,
    n: 2,
    parallel_tool_calls: false,
    reasoning_effort: 'low',
    tools: [tool, { type: 'custom', custom: { name: 'sh' } }],
    tool_choice: { type: 'function', function: { name: 'weather' } },
    response_format: { type: 'json_object' },
  })
  expect(content).toMatchObject({
    draft: 'So?',
    settings: { max_completion_tokens: '5', stop: 'x', format: 'text', reasoningEffort: 'low' },
  })
  expect(content.turns).toMatchObject([
    { text: 'See', attachments: [{ kind: 'image', type: 'image/png', bytes: 70, data: null }] },
    { text: 'I see' },
  ])
  expect(JSON.parse(content.settings.tools)).toEqual([tool])
  expect(content.leftOut).toEqual([
    ...['content: image_url', 'reasoning_content', 'tools: custom', 'tool_choice: weather'],
    ...['response_format: json_object', 'top_k: 3', 'n: 2', 'parallel_tool_calls: false'],
  ])
})

test('a message in the form of Anthropic keeps its system prompt, tools, calls and their results', () => {
  const opened = open('messages', {
    model: 'helix-v1',
    system: [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 's' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'Rain' }] },
          { type: 'text', text: 'And tomorrow?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '[image/png, 70 bytes]' } },
        ],
      },
    ],
    max_tokens: 300,
    stop_sequences: ['a', 'b', 'c', 'd', 'e'],
    thinking: { type: 'enabled', budget_tokens: 1024 },
    tools: [
      { name: 'weather', description: 'Tells it', input_schema: parameters },
      { type: 'web_search_20250305', name: 'web_search' },
    ],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    output_config: { format: { type: 'json_schema', schema: { type: 'object' } }, effort: 'high' },
    top_k: 5,
  })
  expect(resend(opened)).toEqual({
    model: 'helix-v1',
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: 'I look.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
      { role: 'user', content: 'And tomorrow?' },
    ],
    max_completion_tokens: 300,
    stop: ['a', 'b', 'c', 'd'],
    tools: [tool],
    tool_choice: 'required',
    reasoning_effort: 'high',
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', strict: true, schema: { type: 'object' } },
    },
  })
  expect(opened.leftOut).toEqual([
    ...['content: thinking', 'content: image', 'stop_sequences: "e"', 'tools: web_search_20250305'],
    ...['disable_parallel_tool_use', 'thinking: enabled', 'top_k: 5'],
  ])
})

test('a chosen tool of Anthropic is named, because the playground can only let the model choose', () => {
  const body = { model: 'a', messages: [{ role: 'user', content: 'x' }], max_tokens: 1 }
  expect(open('messages', { ...body, tool_choice: { type: 'tool', name: 'weather' } }).leftOut).toEqual([
    'tool_choice: weather',
  ])
  expect(open('messages', { ...body, tool_choice: { type: 'auto' } }).leftOut).toEqual([])
})

test('a response keeps its instructions, items, tools and schema', () => {
  const opened = open('responses', {
    model: 'helix-v1',
    instructions: 'Be short.',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
      { type: 'reasoning', summary: [] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'sh', input: 'ls' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Rain' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'a b' }] },
      { type: 'item_reference', id: 'msg_1' },
      { type: 'message', role: 'user', content: 'And tomorrow?' },
    ],
    max_output_tokens: 300,
    temperature: 0,
    tools: [
      { type: 'function', name: 'weather', description: 'Tells it', parameters },
      { type: 'web_search', filters: {} },
    ],
    tool_choice: 'auto',
    text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: true }, verbosity: 'low' },
    previous_response_id: 'resp_1',
    reasoning: { effort: 'low', summary: 'auto' },
    store: true,
  })
  const shell = { id: 'call_2', type: 'function', function: { name: 'sh', arguments: '{"input":"ls"}' } }
  expect(resend(opened)).toMatchObject({
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: 'I look.', tool_calls: [call, shell] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
      { role: 'tool', tool_call_id: 'call_2', content: 'a b' },
      { role: 'user', content: 'And tomorrow?' },
    ],
    max_completion_tokens: 300,
    temperature: 0,
    reasoning_effort: 'low',
    tools: [tool],
    tool_choice: 'auto',
    response_format: { json_schema: { schema: { type: 'object' } } },
  })
  expect(opened.leftOut).toEqual([
    ...['input: reasoning', 'input: item_reference', 'tools: web_search', 'text.verbosity: low'],
    ...['reasoning.summary: auto', 'previous_response_id: resp_1'],
  ])
})

test('the input of a response may be one text, or an image that was not stored', () => {
  expect(open('responses', { model: 'a', input: 'Hi' })).toMatchObject({ draft: 'Hi', leftOut: [] })
  const content = [{ type: 'input_image', image_url: '[image/png, 70 bytes]' }]
  const { turns } = open('responses', {
    model: 'a',
    input: [
      { role: 'user', content },
      { role: 'user', content: 'So?' },
    ],
  })
  expect(turns).toMatchObject([{ attachments: [{ type: 'image/png', data: null }] }])
})

test('the prompt of a completion is a message if it is one text', () => {
  const opened = open('completions', { model: 'a', prompt: ['Once'], max_tokens: 7, echo: true, suffix: null })
  expect(resend(opened)).toEqual({
    model: 'a',
    messages: [{ role: 'user', content: 'Once' }],
    max_completion_tokens: 7,
  })
  expect(opened.leftOut).toEqual(['echo: true'])
})

test.each([
  ['chat.completions', '', 'empty'],
  ['chat.completions', '{"messages":1}', 'no messages'],
  ['messages', '[1', 'truncated'],
  ['responses', '{"previous_response_id":"resp_1"}', 'no input'],
  ['completions', '{"prompt":["a","b"]}', 'several prompts'],
  ['completions', '{"prompt":[1,2]}', 'tokens'],
  ['embeddings', '{"input":"x"}', 'no conversation'],
  ['rerank', '{"query":"x","documents":["y"]}', 'no conversation'],
] as const)('%s %s is not opened: %s', (endpoint, body, _why) => {
  expect(contentOfRequest({ endpoint, model: null, body }, models)).toBeNull()
})

test('the model that answered counts, not another name of it', () => {
  const body = JSON.stringify({ model: 'alias', messages: [] })
  expect(contentOfRequest({ endpoint: 'messages', model: 'helix-v1', body }, models)?.model).toBe('helix-v1')
})
