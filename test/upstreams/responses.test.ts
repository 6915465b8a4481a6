import OpenAI from 'openai'
import { expect, test } from 'vitest'
import type { HookSetting } from '../../src/config/hook-setting.ts'
import { pngUrl } from '../harness/media.ts'
import { readEvents } from '../harness/read-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { startUpstream, stream } from '../harness/scripted-upstream.ts'
import type { Helix } from '../harness/start-helix.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

/** A server written from the published schema of the Responses API. */
type Answer = Parameters<typeof startUpstream>[0]
type Fields = Record<string, unknown>
const key = 'sk-0123456789-abcdef-0123456789'

const reasoning = {
  ...{ id: 'rs_up1', type: 'reasoning', encrypted_content: 'gAAAAB-secret' },
  summary: [
    { type: 'summary_text', text: 'First.' },
    { type: 'summary_text', text: 'Then.' },
  ],
}
const searched = {
  ...{ id: 'ws_up1', type: 'web_search_call', status: 'completed' },
  action: { type: 'search', query: 'sky', sources: [{ type: 'url', url: 'https://example.com' }] },
}
const citation = { type: 'url_citation', url: 'https://example.com', title: 'Sky', start_index: 0, end_index: 3 }
const message = {
  ...{ id: 'msg_up1', type: 'message', status: 'completed', role: 'assistant', phase: 'final_answer' },
  content: [{ type: 'output_text', text: 'The sky is blue.', annotations: [citation], logprobs: [] }],
}
const call = {
  ...{ id: 'fc_up1', type: 'function_call', status: 'completed', call_id: 'call_up-1', name: 'look' },
  arguments: '{"at":"sky"}',
}
const custom = {
  ...{ id: 'ctc_up1', type: 'custom_tool_call', call_id: 'toolu_x', name: 'patch', input: '{"input":"*** Begin"}' },
}
const unknown = { id: 'xx_1', type: 'crystal_ball_call', status: 'completed' }
const usage = {
  ...{ input_tokens: 30, input_tokens_details: { cached_tokens: 10 } },
  ...{ output_tokens: 12, output_tokens_details: { reasoning_tokens: 5 }, total_tokens: 42 },
}
const output = [reasoning, searched, unknown, message, call, custom]
const shown = [reasoning, searched, message, call, custom]
const document = { id: 'resp_up', object: 'response', status: 'completed', model: 'big', output, usage }

let sequence = 0
const event = (type: string, fields: Fields): string => {
  sequence += 1
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`
}
const textEvents = (name: string, place: Fields, text: string): string[] => [
  event(`response.${name}.delta`, { ...place, delta: text.slice(0, 3), obfuscation: 'x' }),
  event(`response.${name}.delta`, { ...place, delta: text.slice(3) }),
  event(`response.${name}.done`, { ...place, [name === 'custom_tool_call_input' ? 'input' : 'text']: text }),
]
const itemEvents = (item: Fields, output_index: number): string[] => {
  const place = { output_index, item_id: item.id }
  const texts = (): string[] => {
    if (item === reasoning)
      return reasoning.summary.flatMap(({ text }, summary_index) =>
        textEvents('reasoning_summary_text', { ...place, summary_index }, text),
      )
    if (item === message) return textEvents('output_text', { ...place, content_index: 0 }, 'The sky is blue.')
    if (item === call) return textEvents('function_call_arguments', place, call.arguments)
    if (item === custom) return textEvents('custom_tool_call_input', place, custom.input)
    return [event('response.web_search_call.searching', place)]
  }
  const { encrypted_content, action, ...begun } = item
  const empty = { content: [], summary: [], arguments: '', input: '' }
  const known = Object.entries(empty).filter(([name]) => name in item)
  return [
    event('response.output_item.added', {
      output_index,
      item: { ...begun, status: 'in_progress', ...Object.fromEntries(known) },
    }),
    ...texts(),
    event('response.crystal_ball.delta', { ...place, delta: { deep: [1] } }),
    event('response.output_item.done', { output_index, item }),
  ]
}
const begun = event('response.created', { response: { ...document, status: 'in_progress', output: [], usage: null } })
const ended = (status = 'completed', more: Fields = {}): string =>
  event(`response.${status}`, { response: { ...document, status, ...more } })
const whole = (): string[] => [begun, ...output.flatMap(itemEvents), ended()]

const json = (response: Parameters<Answer>[0], body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
const answerBoth: Answer = (response, { body }) =>
  body.stream === true ? stream(response, ...whole()) : json(response, document)

const hosted = (url: string, more: Fields = {}) => ({
  ...{ name: 'hosted', preset: 'openai', url, key, models: [{ name: 'big' }], builtInTools: ['web_search'], ...more },
})
const start = async (answer: Answer, more: Fields = {}, config: Parameters<typeof startWithUpstreams>[1] = {}) => {
  const upstream = await startUpstream((response, asked) =>
    asked.headers.authorization === `Bearer ${key}` && asked.url !== '/v1/models'
      ? answer(response, asked)
      : json(response, { data: [] }),
  )
  return { upstream, helix: await startWithUpstreams([hosted(upstream.baseUrl, more)], config) }
}
const tools = [
  { type: 'function', name: 'look', parameters: { type: 'object', properties: {} }, strict: false },
  { type: 'custom', name: 'patch' },
  { type: 'web_search', search_context_size: 'low' },
]
const ask = { model: 'big', input: 'What is up?', tools, include: ['reasoning.encrypted_content'] }
const asked = (all: { url: string; body: Fields }[]): Fields[] =>
  all.filter(({ url }) => url === '/v1/responses').map(({ body }) => body)
const events = async (helix: Helix, body: Fields, headers: Record<string, string> = {}): Promise<Fields[]> => {
  const response = await fetch(`${helix.baseUrl}/responses`, {
    ...{ method: 'POST', headers: { ...helix.authorized, ...headers } },
    body: JSON.stringify({ ...body, stream: true }),
  })
  return (await readEvents(response)).map((data) => JSON.parse(data))
}
/** Reasoning has a status here, as other items have. */
const withStatus = (items: Fields[]): Fields[] =>
  items.map((item) => (item.type === 'reasoning' ? { ...item, status: 'completed' } : item))

test('items of an upstream survive as a whole and in a stream, and what it is asked has no state', async () => {
  const { helix, upstream } = await start(answerBoth)
  const asked_ = { ...ask, reasoning: { effort: 'low', summary: 'auto' }, max_output_tokens: 99, metadata: { a: 'b' } }
  const { body } = await postJson(helix, '/responses', asked_)
  expect(body.output).toEqual(withStatus(shown))
  expect(body).toMatchObject({
    ...{ status: 'completed', model: 'big', tools: [{ name: 'look' }, { name: 'patch' }, tools[2]] },
    usage: { input_tokens: 30, input_tokens_details: { cached_tokens: 10 }, output_tokens: 12, total_tokens: 42 },
  })
  expect(body.id).not.toBe('resp_up')
  const streamed = await events(helix, asked_)
  expect(streamed.map(({ sequence_number }) => sequence_number)).toEqual(streamed.map((_, index) => index))
  const last = streamed.at(-1) as { response: { output: Fields[] } }
  expect(last).toMatchObject({ type: 'response.completed', response: { output: withStatus(shown) } })
  const done = streamed.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
  expect(done).toEqual(withStatus(shown))
  const deltas = (type: string): string =>
    streamed.flatMap((one) => (one.type === `response.${type}.delta` ? [one.delta] : [])).join('')
  expect(
    ['output_text', 'reasoning_summary_text', 'function_call_arguments', 'custom_tool_call_input'].map(deltas),
  ).toEqual(['The sky is blue.', 'First.Then.', call.arguments, custom.input])
  expect(streamed.find(({ type }) => type === 'response.output_text.annotation.added')?.annotation).toEqual(citation)
  for (const sent of asked(upstream.asked)) {
    expect(sent).toMatchObject({
      ...{ model: 'big', store: false, include: ask.include, reasoning: { effort: 'low', summary: 'auto' } },
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is up?' }] }],
      ...{ tools: [tools[0], { type: 'custom', name: 'patch' }, tools[2]], max_output_tokens: 99 },
    })
    expect(Object.keys(sent)).not.toEqual(expect.arrayContaining(['metadata']))
  }
  const rows = await readLedger(helix)
  expect(rows.map(({ settlement: one }) => [one?.promptTokens, one?.completionTokens, one?.reasoningTokens])).toEqual([
    [30, 12, 5],
    [30, 12, 5],
  ])
})

test('a conversation is continued with what the upstream wrote, and its stream can be read again', async () => {
  const { helix, upstream } = await start(answerBoth)
  const first = await events(helix, ask)
  const { id } = (first.at(-1) as { response: { id: string } }).response
  const again = await fetch(`${helix.baseUrl}/responses/${id}?stream=true`, { headers: helix.authorized })
  expect((await readEvents(again)).map((data) => JSON.parse(data))).toEqual(first)
  const outputs = [
    { type: 'function_call_output', call_id: 'call_up-1', output: 'blue' },
    { type: 'custom_tool_call_output', call_id: 'toolu_x', output: 'done' },
  ]
  const { body } = await postJson(helix, '/responses', { ...ask, previous_response_id: id, input: outputs })
  expect(body.status).toBe('completed')
  const { status, ...said } = {
    ...message,
    content: [{ type: 'output_text', text: 'The sky is blue.', annotations: [citation] }],
  }
  expect(asked(upstream.asked)[1]?.input).toEqual([
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is up?' }] },
    ...[reasoning, searched, { ...said, status }, call, custom, ...outputs],
  ])
  expect(asked(upstream.asked)[1]).not.toHaveProperty('previous_response_id')
  // A response that was not streamed is streamed with the same items.
  const other = await fetch(`${helix.baseUrl}/responses/${body.id}?stream=true`, { headers: helix.authorized })
  const replayed = (await readEvents(other)).map((data) => JSON.parse(data))
  expect(replayed.at(-1).response.output).toEqual(withStatus(shown))
})

test('an agent that sends screenshots continues with them by the ID of the last response', async () => {
  const { helix, upstream } = await start(answerBoth, { builtInTools: ['computer_use'] })
  const image_url = `data:image/png;base64,${'QUFB'.repeat(1000)}`
  const screen = { call_id: 'call_1', output: { type: 'computer_screenshot', image_url } }
  const input = [
    { role: 'user', content: 'What is up?' },
    { type: 'computer_call', id: 'cu_1', call_id: 'call_1', action: { type: 'screenshot' } },
    { type: 'computer_call_output', id: 'cuo_1', ...screen },
  ]
  const { body } = await postJson(helix, '/responses', { model: 'big', input })
  const next = await postJson(helix, '/responses', { model: 'big', input: 'Go on', previous_response_id: body.id })
  expect(next.status).toBe(200)
  for (const one of asked(upstream.asked)) expect(JSON.stringify(one.input)).toContain(image_url)
  expect(asked(upstream.asked)).toHaveLength(2)
})

test.each([
  [{ tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }, 'tools[0].type', 'code_interpreter'],
  [{ tools: [tools[2], { type: 'mcp', server_label: 'x' }] }, 'tools[1].type', 'mcp'],
  [{ tools: [], tool_choice: { type: 'web_search' } }, 'tool_choice.type', 'web_search'],
  [{ input: [{ type: 'code_interpreter_call', id: 'ci_1', code: '1' }] }, 'input[0].type', 'code_interpreter_call'],
])('a built-in tool that the operator has not allowed is refused by name: %j', async (fields, param, name) => {
  const { helix, upstream } = await start(answerBoth)
  const { status, body } = await postJson(helix, '/responses', { ...ask, ...fields })
  expect([status, body.error?.param]).toEqual([400, param])
  expect(JSON.stringify(body)).toContain(name)
  expect(asked(upstream.asked)).toEqual([])
})

test('a built-in tool can be forced, and versions of it are allowed with it', async () => {
  const { helix, upstream } = await start(answerBoth)
  const choice = { type: 'web_search_preview' }
  const versions = [{ type: 'web_search_preview_2025_03_11' }]
  const forced = await postJson(helix, '/responses', { ...ask, tools: versions, tool_choice: choice })
  expect(forced.status).toBe(200)
  expect(asked(upstream.asked)[0]).toMatchObject({ tools: versions, tool_choice: choice })
  const required = await postJson(helix, '/responses', { ...ask, tools: versions, tool_choice: 'required' })
  expect(required.status).toBe(200)
})

test('in a pool a built-in tool goes only to an upstream that may run it, and other requests are translated for the other', async () => {
  const chat = await startUpstream((response) =>
    json(response, {
      choices: [{ index: 0, message: { role: 'assistant', content: 'translated' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 1 },
    }),
  )
  const { helix, upstream } = await start((response) => json(response, { error: { message: 'full' } }, 503))
  const added = { name: 'other', url: chat.baseUrl, models: [{ name: 'big', weight: 0.01 }] }
  await helix.control('POST', '/control/upstreams', added)
  const needing = await postJson(helix, '/responses', ask)
  expect([needing.status, chat.asked.filter(({ url }) => url.includes('chat')).length]).toEqual([503, 0])
  const plain = { model: 'big', input: [{ role: 'user', content: 'Hi' }, reasoning, { role: 'user', content: 'So?' }] }
  const { body } = await postJson(helix, '/responses', plain)
  expect(body.output).toMatchObject([{ content: [{ text: 'translated' }] }])
  expect(asked(upstream.asked).length).toBeGreaterThan(0)
})

test('an image in the output of a tool stays where it is', async () => {
  const { helix, upstream } = await start(answerBoth, { capabilities: ['responses', 'vision'] })
  const image_url = pngUrl
  const input = [
    { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_image', image_url, detail: 'low' }] },
  ]
  await postJson(helix, '/responses', { ...ask, input, store: false })
  expect(asked(upstream.asked)[0]?.input).toMatchObject([
    { type: 'function_call' },
    { output: [{ image_url, detail: 'low' }] },
  ])
})

test('an upstream that has no such API after all is asked for a chat completion', async () => {
  const { helix } = await start((response, { url }) =>
    url.endsWith('/responses')
      ? json(response, { error: { message: 'no such path' } }, 404)
      : json(response, { choices: [{ index: 0, message: { content: 'chat' }, finish_reason: 'stop' }], usage: {} }),
  )
  const { body } = await postJson(helix, '/responses', { model: 'big', input: 'Hi' })
  expect(body.output).toMatchObject([{ content: [{ text: 'chat' }] }])
})

test('reasoning that another provider has encrypted is left out if the upstream cannot read it', async () => {
  const { helix, upstream } = await start((response, { body }) =>
    JSON.stringify(body.input).includes('gAAAAB')
      ? json(response, { error: { message: 'The encrypted content for item rs_up1 could not be verified.' } }, 400)
      : json(response, document),
  )
  const input = [
    { role: 'user', content: 'Hi' },
    reasoning,
    { ...message, content: [{ type: 'output_text', text: 'A' }] },
  ]
  const { status } = await postJson(helix, '/responses', { ...ask, input: [...input, { role: 'user', content: 'B' }] })
  expect([status, asked(upstream.asked).length]).toEqual([200, 2])
})

test.each([
  [400, { error: { message: 'bad input', code: 'invalid_value' } }, 400, 'upstream_refused'],
  [400, { error: { message: 'too long', code: 'context_length_exceeded' } }, 400, 'context_length_exceeded'],
  [429, { error: { message: 'slow down' } }, 503, 'upstream_busy'],
  [500, { error: { message: 'oops' } }, 502, 'upstream_failed'],
  [200, { ...document, status: 'failed', error: { code: 'server_error', message: 'oops' } }, 502, 'upstream_failed'],
  [200, { ...document, status: 'failed', error: { code: 'rate_limit_exceeded', message: 'x' } }, 503, 'upstream_busy'],
  [200, { ...document, status: 'failed', error: { code: 'invalid_prompt', message: 'x' } }, 400, 'upstream_refused'],
  [200, { ...document, status: 'queued', output: [] }, 502, 'upstream_failed'],
])('an error with status %i and %j', async (status, body, expected, code) => {
  const { helix } = await start((response) => json(response, body, status))
  const answer = await postJson(helix, '/responses', ask)
  expect([answer.status, answer.body.error?.code]).toEqual([expected, code])
})

test('an error in a response is the request’s fault only if it says so', async () => {
  const { helix } = await start((response, { body }) =>
    json(response, { ...document, status: 'failed', error: { code: body.instructions, message: 'private' } }),
  )
  const errors: Fields = {}
  for (const instructions of [
    'image_too_large',
    'insufficient_quota',
    'internal_error',
    'timeout',
    'invalid_api_key',
  ]) {
    const { status, body } = await postJson(helix, '/responses', { ...ask, instructions })
    errors[instructions] = [status, JSON.stringify(body).includes('private')]
  }
  expect(errors).toEqual({
    ...{ image_too_large: [400, true], insufficient_quota: [502, false], internal_error: [502, false] },
    ...{ timeout: [502, false], invalid_api_key: [502, false] },
  })
})

test('a stream that breaks off, fails or is incomplete ends as documented, and is billed for what was sent', async () => {
  const streams = [
    [begun, ...itemEvents(message, 0).slice(0, 3)],
    [begun, ...itemEvents(message, 0), ended('failed', { error: { code: 'server_error', message: 'oops' } })],
    [begun, ...itemEvents(message, 0), event('error', { code: 'server_error', message: 'oops' })],
    [begun, ...itemEvents(message, 0), ended('incomplete', { incomplete_details: { reason: 'max_output_tokens' } })],
    [
      'data: {"type":"response.output_item.added","item":7}\n\n',
      'data: {"type":[]}\n\n',
      ended('completed', { output: 3 }),
    ],
  ]
  // What has begun cannot be continued here either.
  const { helix } = await start((response, { url, body }) =>
    url === '/v1/responses' ? stream(response, ...(streams[Number(body.instructions)] ?? [])) : json(response, {}, 500),
  )
  const types: unknown[] = []
  for (const index of streams.keys()) {
    const sent = await events(helix, { ...ask, instructions: String(index), store: false })
    // If everything arrives at once, nothing was sent before the error.
    types.push(sent.at(-1)?.type ?? 'error')
  }
  expect(types).toEqual(['error', 'error', 'error', 'response.incomplete', 'response.completed'])
  const rows = await readLedger(helix)
  expect(rows.map(({ settlement }) => settlement?.outcome)).toEqual([
    'failed',
    'failed',
    'failed',
    'completed',
    'completed',
  ])
  expect(rows[0]?.settlement?.completionTokens).toBeGreaterThan(0)
})

test('an answer may have images that are larger than its texts could be, in a stream too', async () => {
  const images = ['ig_1', 'ig_2'].map((id) => ({
    ...{ id, type: 'image_generation_call', status: 'completed', result: 'A'.repeat(2_200_000) },
  }))
  const added = images.flatMap((item, output_index) => [event('response.output_item.done', { output_index, item })])
  const { helix } = await start(
    (response, { body }) =>
      body.stream === true
        ? stream(response, begun, ...added, ended('completed', { output: images }))
        : json(response, { ...document, output: images }),
    { builtInTools: ['image_generation'] },
  )
  const asking = { model: 'big', input: 'Draw.', tools: [{ type: 'image_generation' }], max_output_tokens: 16 }
  const both = { output: [{ id: 'ig_1' }, { id: 'ig_2' }] }
  const { body } = await postJson(helix, '/responses', { ...asking, store: false })
  expect(body).toMatchObject(both)
  const streamed = await events(helix, { ...asking, store: false })
  expect(streamed.at(-1)).toMatchObject({ type: 'response.completed', response: both })
})

test('an item that names the address of the upstream arrives as it was written', async () => {
  const patched = (host: string) => ({
    ...{ id: 'apc_1', type: 'apply_patch_call', status: 'completed', call_id: 'call_1' },
    operation: { type: 'create_file', path: 'ask.sh', diff: `+curl http://${host}/v1/models` },
  })
  const { helix } = await start(
    (response, { headers }) => json(response, { ...document, output: [patched(String(headers.host))] }),
    { builtInTools: ['apply_patch'] },
  )
  const answer = await postJson(helix, '/responses', { ...ask, tools: [{ type: 'apply_patch' }] })
  expect(JSON.stringify(answer)).toMatch(/\+curl http:\/\/127\.0\.0\.1:\d+\/v1\/models/)
})

test('the key of the upstream is in none of its items', async () => {
  const leaking = { ...searched, action: { type: 'search', query: key } }
  const said = { ...message, content: [{ type: 'output_text', text: `It is ${key}.`, annotations: [{ url: key }] }] }
  const { helix } = await start((response) => json(response, { ...document, output: [leaking, said] }))
  const { status, body } = await postJson(helix, '/responses', ask)
  expect(status).toBe(200)
  expect(JSON.stringify(body)).not.toContain(key)
  expect(JSON.stringify(body.output)).toContain('[redacted]')
})

test('hooks see the texts, and no item passes them unseen', async () => {
  const patterns = ['blue', 'token-[0-9]']
  const hooks: HookSetting[] = [
    {
      ...{ name: 'words', phases: ['before', 'after'], onFailure: 'block' },
      url: null,
      secrets: [],
      patterns,
      action: 'redact',
    },
  ]
  const chat = { choices: [{ index: 0, message: { content: 'Yes.' }, finish_reason: 'stop' }] }
  const answer: Answer = (response, sent) =>
    sent.url === '/v1/responses' ? answerBoth(response, sent) : json(response, chat)
  const { helix, upstream } = await start(answer, {}, { hooks })
  const { body } = await postJson(helix, '/responses', { model: 'big', input: 'What is up?' })
  expect(JSON.stringify(body.output)).toContain('The sky is [redacted].')
  expect(JSON.stringify(body.output)).not.toContain('gAAAAB')
  const changed = await postJson(helix, '/responses', { model: 'big', input: 'Is it token-1?' })
  expect(changed.status).toBe(200)
  expect(JSON.stringify(upstream.asked)).not.toContain('token-1')
  const refused = await postJson(helix, '/responses', { ...ask, input: 'Is it token-1?' })
  expect([refused.status, refused.body.error?.param]).toEqual([400, 'tools'])
})

test.each([
  ['what a tool found', [{ ...searched, action: { type: 'search', query: 'token-1' } }], 400],
  [
    'an annotation',
    [{ ...message, content: [{ type: 'output_text', text: 'A', annotations: [{ url: 'token-1' }] }] }],
    200,
  ],
  [
    'a summary beside a text',
    [
      {
        ...reasoning,
        summary: [{ type: 'summary_text', text: 'token-1' }],
        content: [{ type: 'reasoning_text', text: 'B' }],
      },
      message,
    ],
    200,
  ],
  ['reasoning that led to nothing', [{ ...reasoning, summary: [{ type: 'summary_text', text: 'token-1' }] }], 200],
])('a hook that looks at prompts sees %s', async (_, items, expected) => {
  const own = { name: 'words', url: null, secrets: [], patterns: ['token-[0-9]'], action: 'redact' as const }
  const hooks: HookSetting[] = [{ ...own, phases: ['before'], onFailure: 'block' }]
  const chat = { choices: [{ index: 0, message: { content: 'Yes.' }, finish_reason: 'stop' }] }
  const { helix, upstream } = await start(
    (response, { url }) => json(response, url === '/v1/responses' ? document : chat),
    {},
    { hooks },
  )
  const input = [{ role: 'user', content: 'Hi' }, ...items, { role: 'user', content: 'So?' }]
  const { status } = await postJson(helix, '/responses', { model: 'big', input })
  expect(status).toBe(expected)
  expect(JSON.stringify(upstream.asked)).not.toContain('token-1')
})

test('tools whose items a client acts on are refused if a hook looks at answers, and searches are not', async () => {
  const own = { name: 'words', url: null, secrets: [], patterns: ['token-[0-9]'], action: 'redact' as const }
  const hooks: HookSetting[] = [{ ...own, phases: ['after'], onFailure: 'block' }]
  const { helix, upstream } = await start(answerBoth, { builtInTools: ['web_search', 'shell'] }, { hooks })
  const refused = await postJson(helix, '/responses', { ...ask, tools: [...tools, { type: 'shell' }] })
  expect([refused.status, refused.body.error?.param]).toEqual([400, 'tools'])
  expect(JSON.stringify(refused.body)).toContain("('shell')")
  expect(asked(upstream.asked)).toEqual([])
  expect((await postJson(helix, '/responses', ask)).status).toBe(200)
})

test('a cached answer has the same items', async () => {
  const { helix, upstream } = await start(answerBoth, {}, { cacheModels: ['*'] })
  const once = { ...ask, store: false, temperature: 0 }
  const bodies = []
  for (let times = 0; times < 2; times += 1) bodies.push((await postJson(helix, '/responses', once)).body.output)
  expect(bodies[1]).toEqual(withStatus(shown))
  expect(asked(upstream.asked)).toHaveLength(1)
})

test('the official client reads a stream with all of it', async () => {
  const { helix } = await start(answerBoth)
  const client = new OpenAI({ baseURL: helix.baseUrl, apiKey: helix.key, maxRetries: 0 })
  const final = await client.responses
    .stream({ model: 'big', input: 'What is up?', tools: ask.tools as OpenAI.Responses.Tool[] })
    .finalResponse()
  expect(final.output_text).toBe('The sky is blue.')
  expect(final.output.map(({ type }) => type)).toEqual(shown.map(({ type }) => type))
})
