import { expect, test } from 'vitest'
import { messageEventSchema, messageSchema } from '../../src/api/messages/response-schema.ts'
import type { Conversation, EngineFeature, Sampling } from '../../src/engine/contract.ts'
import { postMessages } from '../harness/post-messages.ts'
import { readEvents } from '../harness/read-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const weather = {
  name: 'get_weather',
  description: 'Weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
}
const calling = [
  'I will look. ',
  '<tool_call>\n{"name": "get_weather", "arguments": ',
  '{"city": "Paris"}}\n</tool_call>',
]

test('a message: its blocks, its usage, its ids, and the endpoint in the ledger', async () => {
  const helix = await startHelix()
  const response = await postMessages(helix)
  expect(response.headers.get('request-id')).toMatch(/^req_/)
  const message = messageSchema(await response.json())
  expect(message).toMatchObject({
    model: modelName,
    content: [{ type: 'text', text: 'Hello, world!' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 2, cache_read_input_tokens: 0, output_tokens: 4 },
  })
  expect((await readLedger(helix)).map(({ endpoint, model }) => [endpoint, model])).toEqual([['messages', modelName]])
})

test('text has no citations, not even null, which some clients refuse', async () => {
  const helix = await startHelix()
  const { content } = messageSchema(await (await postMessages(helix)).json())
  expect(content).toEqual([{ type: 'text', text: 'Hello, world!' }])
  const [, start] = await readEvents(await postMessages(helix, { stream: true }))
  expect(JSON.parse(start ?? '').content_block).toEqual({ type: 'text', text: '' })
})

test('a stream has the same blocks as events, in the order of the grammar', async () => {
  const helix = await startHelix({ answer: () => calling })
  const response = await postMessages(helix, { stream: true, tools: [weather] })
  expect(response.headers.get('content-type')).toMatch('text/event-stream')
  const events = (await readEvents(response)).map((data) => messageEventSchema(JSON.parse(data)))
  const types = events.map(({ type }) => type)
  expect(types.filter((type) => type !== 'content_block_delta')).toEqual([
    'message_start',
    'content_block_start',
    'content_block_stop',
    'content_block_start',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  const deltas = events.flatMap((event) => (event.type === 'content_block_delta' ? [event] : []))
  const input = deltas.map(({ delta }) => ('partial_json' in delta ? delta.partial_json : '')).join('')
  expect(JSON.parse(input)).toEqual({ city: 'Paris' })
  expect(deltas.map(({ index }) => index)).toEqual(deltas.map(({ index }) => index).toSorted())
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } })

  const whole = messageSchema(await (await postMessages(helix, { tools: [weather] })).json())
  expect(whole).toMatchObject({
    content: [
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', id: expect.stringMatching(/^toolu_/), name: 'get_weather', input: { city: 'Paris' } },
    ],
    stop_reason: 'tool_use',
  })
})

test('events are named by their type, and an error in a stream is one of them', async () => {
  const helix = await startHelix({ answer: () => ['first', { fail: new Error('broken') }] })
  const text = await (await postMessages(helix, { stream: true })).text()
  const named = [...text.matchAll(/^event: (\w+)\ndata: \{"type":"(\w+)"/gm)].map(([, name, type]) => [name, type])
  expect(named.every(([name, type]) => name === type)).toBe(true)
  expect(named.map(([name]) => name)).toEqual(['message_start', 'content_block_start', 'content_block_delta', 'error'])
  expect(text).not.toContain('[DONE]')
})

test('system, blocks, calls and their results reach the model as a conversation', async () => {
  const seen: { conversation: Conversation; sampling: Sampling }[] = []
  const helix = await startHelix({
    answer: (_, sampling, conversation) => {
      seen.push({ conversation, sampling })
      return ['ok']
    },
  })
  const cache_control = { type: 'ephemeral' }
  const response = await postMessages(
    helix,
    {
      system: [{ type: 'text', text: 'Be brief.', cache_control }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Weather?', cache_control }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'x' },
            { type: 'text', text: 'Wait.' },
            { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'Rain' }] },
            { type: 'text', text: 'And?' },
          ],
        },
        { role: 'assistant', content: 'It' },
      ],
      tools: [{ ...weather, cache_control }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      metadata: { user_id: 'u' },
      temperature: 0.5,
      top_p: 0.9,
      top_k: 3,
      stop_sequences: ['END'],
    },
    { path: '?beta=true', headers: { 'anthropic-beta': 'tools-2024-04-04' } },
  )
  expect(response.status, await response.clone().text()).toBe(200)
  expect(seen[0]).toMatchObject({
    conversation: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: 'Wait.',
          reasoning: 'Hm.',
          toolCalls: [{ id: 'toolu_1', name: 'get_weather', arguments: '{"city":"Paris"}' }],
        },
        { role: 'tool', content: 'Rain', toolCallId: 'toolu_1' },
        { role: 'user', content: 'And?' },
        { role: 'assistant', content: 'It' },
      ],
      opening: 'continue',
    },
    sampling: { maxTokens: 100, temperature: 0.5, topP: 0.9, topK: 3, stops: ['END'] },
  })
})

test.each([
  ['a stop sequence, with its text', { stop_sequences: ['xyz', ', w'] }, ['stop_sequence', ', w']],
  ['the token limit', { max_tokens: 2 }, ['max_tokens', null]],
  ['more tokens than the context has', { max_tokens: 1_000_000 }, ['end_turn', null]],
])('%s is the reason of the stop, in both forms', async (_, body, expected) => {
  const helix = await startHelix()
  const message = messageSchema(await (await postMessages(helix, body)).json())
  expect([message.stop_reason, message.stop_sequence]).toEqual(expected)
  const events = await readEvents(await postMessages(helix, { ...body, stream: true }))
  expect(JSON.parse(events.at(-2) ?? '')).toMatchObject({
    delta: { stop_reason: expected[0], stop_sequence: expected[1] },
  })
})

test('a model that thinks answers with a block of thinking first', async () => {
  const features = new Set<EngineFeature>(['reasoning', 'template'])
  const answer = () => ['<think>', 'Let me see.', '</think>', 'It is 42.']
  const helix = await startHelix({ answer, engine: { model: { features } } })
  const thinking = { type: 'enabled', budget_tokens: 1024 }
  const message = messageSchema(await (await postMessages(helix, { thinking, max_tokens: 2000 })).json())
  expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text'])
  const events = (await readEvents(await postMessages(helix, { stream: true }))).map((data) => JSON.parse(data))
  expect(events.filter(({ delta }) => delta?.type?.endsWith('_delta')).map(({ delta }) => delta.type)).toEqual([
    'thinking_delta',
    'signature_delta',
    'text_delta',
  ])
})

test('the tokens of a prompt are counted without a limit, and nothing is billed', async () => {
  const helix = await startHelix()
  const response = await postMessages(helix, { max_tokens: undefined }, { path: '/count_tokens' })
  expect(await response.json()).toEqual({ input_tokens: 2 })
  expect(await readLedger(helix)).toEqual([])
})

test('with the version header, models have the shape of that API', async () => {
  const helix = await startHelix()
  const headers = { 'x-api-key': helix.key, 'anthropic-version': '2023-06-01' }
  const list = await (await fetch(`${helix.baseUrl}/models`, { headers })).json()
  expect(list).toMatchObject({ data: [{ type: 'model', id: modelName }], has_more: false, first_id: modelName })
  const one = await fetch(`${helix.baseUrl}/models/${modelName}`, { headers })
  expect(await one.json()).toMatchObject({ type: 'model', created_at: '2023-11-14T22:13:20.000Z' })
})

test('a repeated Idempotency-Key replays the same events', async () => {
  const helix = await startHelix()
  const headers = { 'idempotency-key': 'one' }
  const first = await readEvents(await postMessages(helix, { stream: true }, { headers }))
  const again = await postMessages(helix, { stream: true }, { headers })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await readEvents(again)).toEqual(first)
})

test('limits are sent under the names of that API', async () => {
  const helix = await startHelix({ config: { organisationRequestsPerMinute: 2 } })
  const { headers } = await postMessages(helix)
  expect(headers.get('anthropic-ratelimit-requests-limit')).toBe('2')
  expect(headers.get('anthropic-ratelimit-requests-remaining')).toBe('1')
  expect(Date.parse(headers.get('anthropic-ratelimit-requests-reset') ?? '')).toBeGreaterThan(0)
})
