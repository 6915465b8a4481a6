import { expect, test } from 'vitest'
import { pngUrl } from '../harness/media.ts'
import { readChunks, readEvents } from '../harness/read-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { startUpstream, stream } from '../harness/scripted-upstream.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

/** A server written from the published schema of the Messages API. */
type Answer = Parameters<typeof startUpstream>[0]
const key = 'sk-ant-0123456789-abcdef'
const event = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const block = (index: number, start: object, ...deltas: object[]): string[] => [
  event({ type: 'content_block_start', index, content_block: start }),
  ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
  event({ type: 'content_block_stop', index }),
]
const usage = { input_tokens: 12, cache_read_input_tokens: 8, cache_creation_input_tokens: 0, output_tokens: 1 }
const started = event({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], stop_reason: null, usage },
})
const ended = (reason: string): string[] => [
  event({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 9 } }),
  event({ type: 'message_stop' }),
]
const thinking = block(
  ...([0, { type: 'thinking', thinking: '', signature: '' }] as const),
  ...[
    { type: 'thinking_delta', thinking: 'Look first.' },
    { type: 'signature_delta', signature: 'EqQB' },
  ],
)
const said = block(
  1,
  { type: 'text', text: '' },
  { type: 'text_delta', text: 'I will ' },
  { type: 'text_delta', text: 'look.' },
)
const calling = block(
  ...([2, { type: 'tool_use', id: 'toolu_01', name: 'look', input: {} }] as const),
  ...['', '{"at": ', '"sky"}'].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
)
const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_reason: 'tool_use', stop_sequence: null },
  content: [
    { type: 'thinking', thinking: 'Look first.', signature: 'EqQB' },
    { type: 'text', text: 'I will look.' },
    { type: 'tool_use', id: 'toolu_01', name: 'look', input: { at: 'sky' } },
  ],
  usage: { ...usage, output_tokens: 9 },
}
const json = (response: Parameters<Answer>[0], document: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document))
}

const start = async (answer: Answer) => {
  const upstream = await startUpstream((response, asked) => {
    const { 'x-api-key': sent, 'anthropic-version': version, authorization } = asked.headers
    if (sent !== key || version !== '2023-06-01' || authorization !== undefined)
      return json(
        response,
        { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
        401,
      )
    if (asked.url === '/v1/models?limit=1000') return json(response, { data: [{ type: 'model', id: 'claude' }] })
    return answer(response, asked)
  })
  const helix = await startWithUpstreams([{ name: 'hosted', preset: 'anthropic', url: upstream.baseUrl, key }])
  return { upstream, helix }
}
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
const ask = { model: 'claude', messages: [{ role: 'user', content: 'What is up?' }], max_tokens: 50, tools }

test('an answer with reasoning, text and a call is streamed and collected alike, on every endpoint', async () => {
  const { helix, upstream } = await start((response, { body }) =>
    body.stream === true
      ? stream(response, started, ...thinking, ...said, ...calling, ...ended('tool_use'))
      : json(response, message),
  )
  const { body } = await postJson(helix, '/chat/completions', ask)
  const call = { type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } }
  expect(body).toMatchObject({
    choices: [
      {
        message: { content: 'I will look.', reasoning_content: 'Look first.', tool_calls: [call] },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 20, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 8 } },
  })
  expect(upstream.asked.at(-1)).toMatchObject({
    url: '/v1/messages',
    body: {
      ...{
        model: 'claude',
        max_tokens: 50,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'What is up?' }] }],
      },
      ...{ tools: [{ name: 'look', input_schema: { type: 'object' } }], tool_choice: { type: 'auto' } },
    },
  })
  const streamed = await helix.chat({ ...ask, stream: true, stream_options: { include_usage: true } })
  const chunks = (await readEvents(streamed)).filter((data) => data !== '[DONE]').map((data) => JSON.parse(data))
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }: { delta: Record<string, unknown> }) => delta))
  expect(deltas.map(({ content }) => content ?? '').join('')).toBe('I will look.')
  expect(deltas.map(({ reasoning_content }) => reasoning_content ?? '').join('')).toBe('Look first.')
  expect(chunks.at(-1)).toMatchObject({ usage: { prompt_tokens: 20, completion_tokens: 9 } })

  const asMessage = await postJson(helix, '/messages', {
    ...{ model: 'claude', max_tokens: 50, messages: ask.messages },
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
  })
  expect(asMessage.body).toMatchObject({
    content: [
      { type: 'thinking', thinking: 'Look first.' },
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', name: 'look', input: { at: 'sky' } },
    ],
    stop_reason: 'tool_use',
  })
  const response = await postJson(helix, '/responses', {
    ...{
      model: 'claude',
      input: 'What is up?',
      tools: [{ type: 'function', name: 'look', parameters: null, strict: false }],
    },
  })
  const kinds = (response.body.output as { type: string }[]).map(({ type }) => type)
  expect(kinds).toEqual(['reasoning', 'message', 'function_call'])
  const raw = await postJson(helix, '/completions', { model: 'claude', prompt: 'Once' })
  expect(raw.body.error).toMatchObject({ param: 'model' })
  const rows = await readLedger(helix)
  expect(rows.slice(0, 4).map(({ settlement }) => [settlement?.promptTokens, settlement?.completionTokens])).toEqual(
    Array.from({ length: 4 }, () => [20, 9]),
  )
})

test('what the API cannot do is refused by name, and its own refusals are passed on', async () => {
  const refusals = [
    { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    { type: 'invalid_request_error', message: 'messages: roles must alternate' },
  ]
  const { helix, upstream } = await start((response) => json(response, { type: 'error', error: refusals.shift() }, 400))
  for (const field of [{ seed: 1 }, { logprobs: true }, { logit_bias: { 5: 1 } }, { frequency_penalty: 1 }]) {
    const { body } = await postJson(helix, '/chat/completions', { ...ask, ...field })
    expect(body.error).toMatchObject({ code: 'unsupported_parameter', param: Object.keys(field)[0] })
  }
  expect(upstream.asked.filter(({ url }) => url === '/v1/messages')).toEqual([])
  const { body: long } = await postJson(helix, '/chat/completions', ask)
  expect(long.error).toMatchObject({ code: 'context_length_exceeded' })
  const { body: other } = await postJson(helix, '/chat/completions', ask)
  expect(JSON.stringify(other)).toContain('roles must alternate')
})

test('faults: overloaded before anything, broken off in the middle, and shapes that nobody published', async () => {
  const answers: Answer[] = [
    (response) => json(response, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 529),
    (response) =>
      stream(response, event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })),
    (response) => stream(response, started, ...said),
    (response) => stream(response, started, event({ type: 'content_block_delta', delta: 7 }), 'data: {"type": 3}\n\n'),
    (response) => json(response, { type: 'message', content: 'a text' }),
    (response) => json(response, ['message']),
  ]
  const left = [...answers]
  const { helix } = await start((response, asked) => left.shift()?.(response, asked))
  const statuses: number[] = []
  for (const [index] of answers.entries()) {
    const response = await helix.chat({ ...ask, stream: index > 0 && index < 4 })
    statuses.push(response.status)
    const text = await response.text()
    expect([index, text]).toEqual([index, expect.stringMatching(/"error":/)])
    expect(text).not.toContain(key)
  }
  expect(statuses).toEqual([503, 503, 200, expect.any(Number), 502, 502])
})

test('a test and a canary of it read its messages', async () => {
  const { helix, upstream } = await start((response) =>
    json(response, { ...message, content: [{ type: 'text', text: 'OK' }], stop_reason: 'end_turn' }),
  )
  await helix.control('POST', '/control/upstreams/hosted/edit', { canary: { expect: 'ok' } })
  expect(await helix.control('POST', '/control/upstreams/hosted/test')).toMatchObject({
    problem: null,
    model: 'claude',
  })
  expect(upstream.asked.at(-1)?.body).toMatchObject({ max_tokens: 8, temperature: 0 })
})

test('a canary of a model that accepts no temperature, and reasons without showing it, is right', async () => {
  const refused = { type: 'invalid_request_error', message: '`temperature` is not supported on this model.' }
  const hidden = { ...message, content: [{ type: 'thinking', thinking: '', signature: 'EqQB' }] }
  const answers = { reasons: { ...hidden, stop_reason: 'max_tokens' }, empty: { ...hidden, stop_reason: 'end_turn' } }
  let answer = answers.reasons
  const { helix, upstream } = await start((response, { body }) =>
    body.temperature === undefined ? json(response, answer) : json(response, { type: 'error', error: refused }, 400),
  )
  await helix.control('POST', '/control/upstreams/hosted/edit', { canary: {} })
  expect(await helix.control('POST', '/control/upstreams/hosted/test')).toMatchObject({ problem: null })
  expect(upstream.asked.slice(-2).map(({ body }) => body.temperature)).toEqual([0, undefined])
  answer = answers.empty
  expect(await helix.control('POST', '/control/upstreams/hosted/test')).toMatchObject({
    problem: expect.stringContaining('empty'),
  })
})

test("Helix's own Messages API is such an upstream, streamed and whole", async () => {
  const inner = await startHelix()
  const models = [{ name: 'theirs', upstreamName: modelName }]
  const helix = await startWithUpstreams([
    { name: 'inner', preset: 'anthropic', url: inner.baseUrl, key: inner.key, models },
  ])
  const messages = [{ role: 'user', content: 'Hello' }]
  const own = await inner.chat({ messages })
  const { choices } = (await own.json()) as { choices: { message: { content: string } }[] }
  const whole = await postJson(helix, '/chat/completions', { model: 'theirs', messages })
  expect(whole.body).toMatchObject({ choices: [{ message: { content: choices[0]?.message.content } }] })
  const chunks = await readChunks(await helix.chat({ model: 'theirs', messages, stream: true }))
  const texts = chunks.flatMap((chunk) => chunk.choices.map(({ delta }) => String(delta.content ?? '')))
  expect(texts.join('')).toBe(choices[0]?.message.content)
  expect(await helix.control('POST', '/control/upstreams/inner/test')).toMatchObject({ problem: null })
})

const mark = { type: 'ephemeral', ttl: '1h' }
const lookTool = { name: 'look', input_schema: { type: 'object' }, cache_control: mark }
const marked = {
  ...{
    model: 'claude',
    max_tokens: 4000,
    metadata: { user_id: 'u1' },
    thinking: { type: 'enabled', budget_tokens: 1024 },
  },
  ...{ system: [{ type: 'text', text: 'Be brief.', cache_control: mark }], tools: [lookTool] },
}
const question = { role: 'user', content: [{ type: 'text', text: 'What is up?', cache_control: mark }] }

test('an image in the result of a tool stays there', async () => {
  const { helix, upstream } = await start((response) => json(response, message))
  const [, media_type, data] = /^data:(.*);base64,(.*)$/.exec(pngUrl) ?? []
  const picture = { type: 'image', source: { type: 'base64', media_type, data } }
  const messages = [
    question,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [picture] }] },
  ]
  expect((await postJson(helix, '/messages', { model: 'claude', max_tokens: 100, messages })).status).toBe(200)
  expect(upstream.asked.at(-1)?.body.messages).toEqual(messages)
})

test('a request in its own form keeps cache marks and thinking, and signed reasoning goes there and back', async () => {
  const { helix, upstream } = await start((response, { body }) =>
    body.stream === true
      ? stream(response, started, ...thinking, ...said, ...calling, ...ended('tool_use'))
      : json(response, message),
  )
  await helix.control('POST', '/control/upstreams/hosted/edit', { features: ['tools', 'reasoning_effort'] })
  const first = await postJson(helix, '/messages', { ...marked, messages: [question], unknown_field: 1 })
  const { model: _, ...same } = marked
  expect(upstream.asked.at(-1)?.body).toEqual({
    ...{ ...same, model: 'claude', messages: [question], tool_choice: { type: 'auto' } },
  })
  const content = first.body.content as { type: string; id?: string; signature?: string }[]
  expect(content[0]).toEqual({ type: 'thinking', thinking: 'Look first.', signature: 'EqQB' })
  const result = { type: 'tool_result', tool_use_id: content[2]?.id, content: 'Clouds.', is_error: true }
  const again = { ...marked, messages: [question, { role: 'assistant', content }, { role: 'user', content: [result] }] }
  const streamed = await fetch(`${helix.baseUrl}/messages`, {
    ...{ method: 'POST', headers: helix.authorized, body: JSON.stringify({ ...again, stream: true }) },
  })
  const deltas = (await readEvents(streamed)).map((data) => JSON.parse(data) as { delta?: { signature?: string } })
  expect(deltas.flatMap(({ delta }) => delta?.signature ?? [])).toEqual(['EqQB'])
  const { thinking: asked, messages } = upstream.asked.at(-1)?.body ?? {}
  expect(asked).toEqual(marked.thinking)
  expect(messages).toMatchObject([question, { content: [{ signature: 'EqQB' }, {}, {}] }, { content: [result] }])
})

test('reasoning that the provider did not sign is not sent to it, and then it does not think between calls', async () => {
  const { helix, upstream } = await start((response) => json(response, message))
  await helix.control('POST', '/control/upstreams/hosted/edit', { features: ['tools', 'reasoning_effort'] })
  const called = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
  const thought = { type: 'thinking', thinking: 'Mine.', signature: 'msg_0123' }
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Clouds.' }
  const messages = [question, { role: 'assistant', content: [thought, called] }, { role: 'user', content: [result] }]
  await postJson(helix, '/messages', { ...marked, messages })
  const { body } = upstream.asked.at(-1) ?? {}
  expect(body).not.toHaveProperty('thinking')
  expect(body).toMatchObject({ messages: [question, { content: [{ type: 'tool_use' }] }, { content: [result] }] })
})

const streamMessage = async (helix: Awaited<ReturnType<typeof start>>['helix'], body: object): Promise<string> => {
  const init = { method: 'POST', headers: helix.authorized, body: JSON.stringify({ ...body, stream: true }) }
  return (await fetch(`${helix.baseUrl}/messages`, init)).text()
}

test('reasoning that the provider shows to nobody comes back as it was, between the reasoning that it shows', async () => {
  const redacted = { type: 'redacted_thinking', data: 'c2VjcmV0' }
  const shown = { type: 'thinking', thinking: 'Look first.', signature: 'EqQB' }
  const text = { type: 'text', text: 'Done.' }
  const { helix } = await start((response, { body }) =>
    body.stream === true
      ? stream(response, started, ...thinking, ...block(1, redacted), ...block(2, text), ...ended('end_turn'))
      : json(response, { ...message, content: [shown, redacted, text], stop_reason: 'end_turn' }),
  )
  await helix.control('POST', '/control/upstreams/hosted/edit', { features: ['tools', 'reasoning_effort'] })
  const body = { ...marked, messages: [question] }
  expect((await postJson(helix, '/messages', body)).body.content).toEqual([shown, redacted, text])
  const events = await streamMessage(helix, body)
  expect(events).toContain(`"index":1,"content_block":${JSON.stringify(redacted)}`)
  expect(events.match(/"signature_delta"/g)).toHaveLength(1)
})

test('the stop sequence that the provider has found is reported, and only one of the request', async () => {
  const found = ['END', 'secret']
  const { helix } = await start((response, { body }) => {
    const end = { stop_reason: 'stop_sequence', stop_sequence: found[0] }
    const events = [started, ...said, event({ type: 'message_delta', delta: end }), event({ type: 'message_stop' })]
    return body.stream === true ? stream(response, ...events) : json(response, { ...message, ...end, content: [] })
  })
  const body = { model: 'claude', max_tokens: 50, messages: [question], stop_sequences: ['END'] }
  const reported = { stop_reason: 'stop_sequence', stop_sequence: 'END' }
  expect((await postJson(helix, '/messages', body)).body).toMatchObject(reported)
  expect(await streamMessage(helix, body)).toContain('"stop_reason":"stop_sequence","stop_sequence":"END"')
  found.shift()
  expect((await postJson(helix, '/messages', body)).body).toMatchObject({
    stop_reason: 'end_turn',
    stop_sequence: null,
  })
})

test('a count that the last event has as null is still the one of the first', async () => {
  const nothing = { input_tokens: null, cache_read_input_tokens: null, output_tokens: 9 }
  const { helix } = await start((response) =>
    stream(
      response,
      ...[started, ...said, event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: nothing })],
      event({ type: 'message_stop' }),
    ),
  )
  await (await helix.chat({ ...ask, stream: true })).text()
  const [row] = await readLedger(helix)
  expect(row?.settlement).toMatchObject({ promptTokens: 20, cachedTokens: 8, completionTokens: 9 })
})

test.each([
  ['no input', [{}, ''], '{}'],
  ['an input that is there at the beginning', [{ at: 'sky' }], '{"at":"sky"}'],
])('a call with %s has the arguments of a complete call, streamed too', async (_, [input, ...written], expected) => {
  const deltas = written.map((partial_json) => ({ type: 'input_json_delta', partial_json }))
  const call = { type: 'tool_use', id: 'toolu_01', name: 'look', input }
  const { helix } = await start((response, { body }) =>
    body.stream === true
      ? stream(response, started, ...block(0, call, ...deltas), ...ended('tool_use'))
      : json(response, { ...message, content: [call] }),
  )
  const { body } = await postJson(helix, '/chat/completions', ask)
  expect(body).toMatchObject({ choices: [{ message: { tool_calls: [{ function: { arguments: expected } }] } }] })
  const events = await readEvents(await helix.chat({ ...ask, stream: true }))
  const parts = events.flatMap((data) => /"arguments":("(?:[^"\\]|\\.)*")/.exec(data)?.[1] ?? [])
  expect(parts.map((text) => JSON.parse(text)).join('')).toBe(expected)
})

test('the effort of a request goes to the provider in its own form, and the choice not to think is no effort', async () => {
  const { helix, upstream } = await start((response) => json(response, message))
  await helix.control('POST', '/control/upstreams/hosted/edit', { features: ['tools', 'reasoning_effort'] })
  const body = { model: 'claude', max_tokens: 50, messages: [question] }
  await postJson(helix, '/messages', { ...body, output_config: { effort: 'max' } })
  expect(upstream.asked.at(-1)?.body).toMatchObject({ output_config: { effort: 'max' } })
  expect(upstream.asked.at(-1)?.body).not.toHaveProperty('thinking')
  await postJson(helix, '/messages', { ...body, thinking: { type: 'disabled' } })
  expect(upstream.asked.at(-1)?.body).toMatchObject({ thinking: { type: 'disabled' } })
  expect(upstream.asked.at(-1)?.body).not.toHaveProperty('output_config')
})

test('reasoning that other APIs ask for is shown, and none is asked for where the API refuses it', async () => {
  const { helix, upstream } = await start((response) => json(response, message))
  const reasoning = { ...ask, reasoning_effort: 'high' }
  const adaptive = { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } }
  await postJson(helix, '/chat/completions', reasoning)
  expect(upstream.asked.at(-1)?.body).toMatchObject(adaptive)
  await postJson(helix, '/responses', { model: 'claude', input: 'Hi', reasoning: { effort: 'high' } })
  expect(upstream.asked.at(-1)?.body).toMatchObject(adaptive)
  for (const tool_choice of ['required', { type: 'function', function: { name: 'look' } }]) {
    await postJson(helix, '/chat/completions', { ...reasoning, tool_choice })
    expect(upstream.asked.at(-1)?.body).toMatchObject({ output_config: { effort: 'high' } })
    expect(upstream.asked.at(-1)?.body).not.toHaveProperty('thinking')
  }
  const own = { model: 'claude', max_tokens: 50, messages: [question], thinking: { type: 'between_tools' } }
  expect((await postJson(helix, '/messages', own)).status).toBe(200)
  expect(upstream.asked.at(-1)?.body.thinking).toEqual({ type: 'between_tools' })
})

test('a model without adaptive thinking answers requests that ask for reasoning', async () => {
  const reason = 'adaptive thinking is not supported on this model'
  const error = { type: 'error', error: { type: 'invalid_request_error', message: reason } }
  const { helix, upstream } = await start((response, { body }) =>
    'thinking' in body || 'output_config' in body ? json(response, error, 400) : json(response, message),
  )
  const before = upstream.asked.length
  const answer = await postJson(helix, '/chat/completions', { ...ask, reasoning_effort: 'high' })
  expect(answer).toMatchObject({ status: 200, body: { choices: [{ message: { content: 'I will look.' } }] } })
  expect(upstream.asked).toHaveLength(before + 2)
  // What the provider's own API was asked for is the caller's matter.
  const own = { model: 'claude', max_tokens: 50, messages: [question], thinking: { type: 'adaptive' } }
  expect(await postJson(helix, '/messages', own)).toMatchObject({ status: 400 })
})

test('of a temperature and top_p, which newer models refuse together, the temperature is sent, and top_p is reported', async () => {
  const asked: Record<string, unknown>[] = []
  const upstream = await startUpstream((response, { body }) => {
    asked.push(body)
    const isRefused = body.temperature !== undefined && body.top_p !== undefined
    const error = { type: 'invalid_request_error', message: '`temperature` and `top_p` cannot both be specified' }
    if (isRefused) json(response, { type: 'error', error }, 400)
    else json(response, { ...message, content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' })
  })
  const models = [{ name: 'claude' }]
  const helix = await startWithUpstreams([{ name: 'claude', url: upstream.baseUrl, kind: 'anthropic', models }])
  const request = { model: 'claude', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }
  for (const path of ['/chat/completions', '/messages']) {
    const ask = (sampling: object) => postJson(helix, path, { ...request, ...sampling })
    const both = await ask({ temperature: 0.5, top_p: 0.9, unknown: 1 })
    expect([both.status, both.headers.get('x-helix-ignored-fields')]).toEqual([200, 'unknown, top_p'])
    expect(asked.at(-1)).toMatchObject({ temperature: 0.5 })
    expect(asked.at(-1)).not.toHaveProperty('top_p')
    const one = await ask({ top_p: 0.9 })
    expect([one.status, one.headers.get('x-helix-ignored-fields')]).toEqual([200, null])
    expect(asked.at(-1)).toMatchObject({ top_p: 0.9 })
  }
  const [row] = await readLedger(helix)
  expect(JSON.stringify(row)).toContain('top_p')
})

test('other kinds of upstreams get both', async () => {
  const asked: Record<string, unknown>[] = []
  const upstream = await startUpstream((response, { body }) => {
    asked.push(body)
    json(response, { choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] })
  })
  const helix = await startWithUpstreams([{ name: 'a', url: upstream.baseUrl, models: [{ name: 'a' }] }])
  const request = { model: 'a', messages: [{ role: 'user', content: 'Hi' }], temperature: 0.5, top_p: 0.9 }
  const { headers } = await postJson(helix, '/chat/completions', request)
  expect(headers.get('x-helix-ignored-fields')).toBeNull()
  expect(asked.at(-1)).toMatchObject({ temperature: 0.5, top_p: 0.9 })
})
