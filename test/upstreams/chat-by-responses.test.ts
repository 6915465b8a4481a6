import { expect, test } from 'vitest'
import { isRecord } from '../../src/base/is-record.ts'
import { readEvents } from '../harness/read-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { sayJson, startUpstream, stream } from '../harness/scripted-upstream.ts'
import type { Helix } from '../harness/start-helix.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

/**
 * A server written from the published schema of the Responses API. It refuses what the schema does not have, and its chat completions refuse
 * functions, as those of OpenAI's newest models do.
 */
type Fields = Record<string, unknown>
type Answer = Parameters<typeof startUpstream>[0]

const usage = {
  ...{ input_tokens: 30, input_tokens_details: { cached_tokens: 10 } },
  ...{ output_tokens: 12, output_tokens_details: { reasoning_tokens: 5 }, total_tokens: 42 },
}
const reasoning = { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }
const message = {
  ...{ id: 'msg_1', type: 'message', status: 'completed', role: 'assistant' },
  content: [{ type: 'output_text', text: 'I look.', annotations: [], logprobs: [] }],
}
const call = {
  ...{ id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'call_1', name: 'look' },
  arguments: '{"at":"sky"}',
}
const output = [reasoning, message, call]
const document = { id: 'resp_1', object: 'response', status: 'completed', output, usage }
const event = (type: string, fields: Fields): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const deltas = (name: string, place: Fields, text: string): string[] => [
  event(`response.${name}.delta`, { ...place, delta: text.slice(0, 3) }),
  event(`response.${name}.delta`, { ...place, delta: text.slice(3) }),
]
const begun = [
  event('response.created', { response: { ...document, status: 'in_progress', output: [], usage: null } }),
  event('response.output_item.added', { output_index: 0, item: { ...reasoning, summary: [] } }),
  ...deltas('reasoning_summary_text', { output_index: 0, item_id: 'rs_1', summary_index: 0 }, 'Hm.'),
  event('response.output_item.done', { output_index: 0, item: reasoning }),
  event('response.output_item.added', { output_index: 1, item: { ...message, content: [] } }),
  ...deltas('output_text', { output_index: 1, item_id: 'msg_1', content_index: 0 }, 'I look.'),
  event('response.output_item.done', { output_index: 1, item: message }),
]
const calling = [
  event('response.output_item.added', { output_index: 2, item: { ...call, arguments: '' } }),
  ...deltas('function_call_arguments', { output_index: 2, item_id: 'fc_1' }, call.arguments),
  event('response.output_item.done', { output_index: 2, item: call }),
]
const ended = (status = 'completed', more: Fields = {}): string =>
  event(`response.${status}`, { response: { ...document, status, ...more } })
const whole = [...begun, ...calling, ended()]

const members = new Set([
  ...['model', 'input', 'store', 'stream', 'max_output_tokens', 'temperature', 'top_p', 'top_logprobs', 'tools'],
  ...['tool_choice', 'parallel_tool_calls', 'text', 'reasoning', 'include'],
])
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const isMessage = ({ type, role, content }: Fields): boolean =>
  type === 'message' &&
  ['user', 'assistant', 'system'].includes(String(role)) &&
  (typeof content === 'string' ||
    list(content).every((part) => ['input_text', 'input_image'].includes(String(part.type))))
/** What is wrong with a request, by the schema; null: nothing. */
const wrong = ({ input, tools, store, max_output_tokens: limit, ...body }: Fields): string | null => {
  const unknown = Object.keys(body).find((name) => !members.has(name))
  if (unknown !== undefined) return `Unknown parameter: '${unknown}'.`
  if (store !== false) return 'It would be stored.'
  if (typeof limit === 'number' && limit < 16) return "Invalid 'max_output_tokens': integer below minimum value."
  if (list(tools).some(({ type, name, strict }) => type !== 'function' || !name || typeof strict !== 'boolean'))
    return "Invalid 'tools[0]'."
  const ids = list(input).map(({ type, call_id: id }) => [type, id])
  const open = ids.filter(([type]) => type === 'function_call').map(([, id]) => id)
  const answered = ids.filter(([type]) => type === 'function_call_output').map(([, id]) => id)
  if (open.some((id) => !answered.includes(id))) return 'No tool output found for function call.'
  const isKnown = Array.isArray(input) && list(input).every((item) => isMessage(item) || 'call_id' in item)
  return typeof input === 'string' || isKnown ? null : "Invalid 'input[0]'."
}

const refusal =
  "Function tools with reasoning_effort are not supported for big in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'."
const json = (response: Parameters<Answer>[0], body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
const answerResponse: Answer = (response, { body }) => {
  const problem = wrong(body)
  if (problem !== null) return json(response, { error: { message: problem, type: 'invalid_request_error' } }, 400)
  return body.stream === true ? stream(response, ...whole) : json(response, document)
}
const newest: Answer = (response, asked) => {
  if (asked.url === '/v1/responses') return answerResponse(response, asked)
  if (asked.url === '/v1/models') return json(response, { data: [] })
  if (asked.body.tools === undefined) return sayJson(response, { content: 'chat' })
  return json(response, { error: { message: refusal, type: 'invalid_request_error', param: 'reasoning_effort' } }, 400)
}

const start = async (answer: Answer = newest, more: Fields = {}) => {
  const upstream = await startUpstream(answer)
  const hosted = {
    name: 'hosted',
    preset: 'openai',
    url: upstream.baseUrl,
    key: 'k',
    models: [{ name: 'big' }],
    ...more,
  }
  const helix = await startWithUpstreams([hosted])
  const asked = () => upstream.asked.filter(({ url }) => url !== '/v1/models')
  return { helix, asked, paths: () => asked().map(({ url }) => url.slice('/v1'.length)) }
}
const always = { capabilities: ['vision', 'responses_for_chat'] }
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is up?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'look', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'call_0', content: 'a bird' },
]
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
const ask = { model: 'big', messages, tools, max_completion_tokens: 5, reasoning_effort: 'low' }
const chunksOf = async (helix: Helix, body: Fields): Promise<Fields[]> => {
  const events = await readEvents(await helix.chat({ ...body, stream: true, stream_options: { include_usage: true } }))
  return events.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data))
}
const deltasOf = (chunks: Fields[]): Fields[] =>
  chunks.flatMap(({ choices }) => list(choices).flatMap(({ delta }) => (isRecord(delta) ? [delta] : [])))
const joined = (all: unknown[]): string => all.filter((text) => typeof text === 'string').join('')
const counts = {
  ...{ prompt_tokens: 30, completion_tokens: 12, prompt_tokens_details: { cached_tokens: 10 } },
  completion_tokens_details: { reasoning_tokens: 5 },
}
const long = { ...ask, max_completion_tokens: 50 }

test('functions that are refused in chat completions are sent to the Responses API, at once from then on', async () => {
  const { helix, asked, paths } = await start()
  const { status, body } = await postJson(helix, '/chat/completions', long)
  expect([status, paths()]).toEqual([200, ['/chat/completions', '/responses']])
  expect(body).toMatchObject({
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          ...{ content: 'I look.', reasoning_content: 'Hm.' },
          tool_calls: [{ id: 'call_1', function: { name: 'look', arguments: call.arguments } }],
        },
      },
    ],
    usage: counts,
  })
  expect(asked()[1]?.body).toEqual({
    ...{ model: 'big', store: false, max_output_tokens: 50, reasoning: { effort: 'low' }, tool_choice: 'auto' },
    tools: [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} }, strict: false }],
    input: [
      { type: 'message', role: 'system', content: 'Be brief.' },
      { type: 'message', role: 'user', content: 'What is up?' },
      { type: 'function_call', call_id: 'call_0', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_0', output: 'a bird' },
    ],
  })
  const chunks = await chunksOf(helix, long)
  const all = deltasOf(chunks)
  expect(joined(all.map(({ content }) => content))).toBe('I look.')
  expect(joined(all.map((delta) => delta.reasoning_content))).toBe('Hm.')
  const calls = all
    .flatMap((delta) => list(delta.tool_calls))
    .map((one) => (isRecord(one.function) ? one.function : {}))
  expect(calls[0]).toMatchObject({ name: 'look' })
  expect(joined(calls.map((one) => one.arguments))).toBe(call.arguments)
  expect(chunks.at(-1)).toMatchObject({ usage: counts })
  expect(paths().slice(2)).toEqual(['/responses'])
  const rows = await readLedger(helix)
  expect(rows.map(({ settlement: one }) => [one?.promptTokens, one?.completionTokens, one?.reasoningTokens])).toEqual([
    [30, 12, 5],
    [30, 12, 5],
  ])
})

test('what is not refused stays a chat completion, and so does what the Responses API has no field for', async () => {
  const { helix, paths } = await start()
  await postJson(helix, '/chat/completions', ask)
  const plain = { model: 'big', messages: [{ role: 'user', content: 'Hi' }] }
  expect((await postJson(helix, '/chat/completions', plain)).body).toMatchObject({
    choices: [{ message: { content: 'chat' } }],
  })
  const seeded = await postJson(helix, '/chat/completions', { ...ask, seed: 7 })
  expect([seeded.status, seeded.body.error?.code]).toEqual([400, 'upstream_refused'])
  expect(paths()).toEqual(['/chat/completions', '/responses', '/chat/completions', '/chat/completions'])
})

test('a model that has only the Responses API is found by its 404', async () => {
  const only = 'This model is only supported in v1/responses and not in v1/chat/completions.'
  const { helix, paths } = await start((response, asked) =>
    asked.url === '/v1/chat/completions' ? json(response, { error: { message: only } }, 404) : newest(response, asked),
  )
  const plain = { model: 'big', messages: [{ role: 'user', content: 'Hi' }] }
  for (const stop of [undefined, 'look', undefined])
    expect((await postJson(helix, '/chat/completions', { ...plain, stop })).status).toBe(200)
  expect(paths()).toEqual(['/chat/completions', '/responses', '/responses', '/responses'])
})

test('a stop text is found here', async () => {
  const { helix, asked } = await start(newest, always)
  const { body } = await postJson(helix, '/chat/completions', { ...ask, tools: undefined, stop: 'loo' })
  expect(body).toMatchObject({ choices: [{ finish_reason: 'stop', message: { content: 'I ' } }] })
  expect(asked()[0]?.body).toMatchObject({ stream: true })
})

test('with the capability responses_for_chat all chats are sent there, and other fields are refused by name', async () => {
  const { helix, asked, paths } = await start(newest, always)
  const format = { type: 'json_schema', json_schema: { name: 'reply', schema: { type: 'object' }, strict: true } }
  await postJson(helix, '/chat/completions', { ...ask, tools: undefined, messages: messages.slice(0, 2) })
  await postJson(helix, '/chat/completions', { model: 'big', messages: messages.slice(0, 2), response_format: format })
  expect(paths()).toEqual(['/responses', '/responses'])
  expect(asked()[0]?.body.max_output_tokens).toBe(16)
  expect(asked()[1]?.body.text).toMatchObject({ format: { type: 'json_schema', name: 'reply', strict: true } })
  for (const [name, value] of Object.entries({ seed: 1, logit_bias: { 5: 1 }, presence_penalty: 1 })) {
    const { status, body } = await postJson(helix, '/chat/completions', { ...ask, [name]: value })
    expect([status, body.error?.param]).toEqual([400, name])
  }
  expect(paths()).toHaveLength(2)
})

test('a long chat arrives whole', async () => {
  const { helix, asked } = await start()
  const content = '猫 "word"\n'.repeat(100_000)
  const said = [{ role: 'user', content }, ...messages.slice(1)]
  expect((await postJson(helix, '/chat/completions', { ...long, messages: said })).status).toBe(200)
  expect((await postJson(helix, '/chat/completions', { ...long, messages: said })).status).toBe(200)
  const sent = asked().slice(1)
  expect(sent.map(({ url }) => url)).toEqual(['/v1/responses', '/v1/responses'])
  for (const { body } of sent) {
    expect(list(body.input)[0]).toEqual({ type: 'message', role: 'user', content })
    expect(body.tools).toEqual([expect.objectContaining({ name: 'look', strict: false })])
  }
})

test('requests to /v1/messages and /v1/responses get their own forms', async () => {
  const { helix, asked } = await start(newest, always)
  const said = [
    { role: 'user', content: 'What is up?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a bird' }] },
  ]
  const body = {
    model: 'big',
    max_tokens: 50,
    messages: said,
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
  }
  const answered = await postJson(helix, '/messages', body)
  expect(answered.body).toMatchObject({
    ...{ type: 'message', stop_reason: 'tool_use' },
    content: expect.arrayContaining([
      { type: 'text', text: 'I look.' },
      expect.objectContaining({ type: 'tool_use', name: 'look', input: { at: 'sky' } }),
    ]),
  })
  expect(asked()[0]?.body.input).toMatchObject([
    { role: 'user' },
    { type: 'function_call', call_id: 'toolu_1' },
    { type: 'function_call_output', call_id: 'toolu_1', output: 'a bird' },
  ])
  const response = await postJson(helix, '/responses', { model: 'big', input: 'Hi' })
  expect(response.body.output).toMatchObject([{ id: 'rs_1' }, { id: 'msg_1' }])
})

test.each([
  [400, { error: { message: 'bad input', code: 'invalid_value' } }, 400, 'upstream_refused'],
  [429, { error: { message: 'slow down' } }, 503, 'upstream_busy'],
  [500, { error: { message: 'oops' } }, 502, 'upstream_failed'],
  [200, { ...document, status: 'failed', error: { code: 'invalid_prompt', message: 'x' } }, 400, 'upstream_refused'],
  [200, { ...document, status: 'failed', error: { code: 'server_error', message: 'x' } }, 502, 'upstream_failed'],
])('an error of the Responses API with status %i and %j', async (status, body, expected, code) => {
  const { helix } = await start((response) => json(response, body, status), always)
  const answer = await postJson(helix, '/chat/completions', ask)
  expect([answer.status, answer.body.error?.code]).toEqual([expected, code])
})

test.each([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content_filter'],
])('an answer that is incomplete because of %s ends with %s', async (reason, finish) => {
  const incomplete = { output: [message], incomplete_details: { reason } }
  const { helix } = await start(
    (response, { body }) =>
      body.stream === true
        ? stream(response, ...begun, ended('incomplete', incomplete))
        : json(response, { ...document, status: 'incomplete', ...incomplete }),
    always,
  )
  const { body } = await postJson(helix, '/chat/completions', long)
  expect(body).toMatchObject({ choices: [{ finish_reason: finish, message: { content: 'I look.' } }], usage: counts })
  const chunks = await chunksOf(helix, long)
  expect(chunks.flatMap(({ choices }) => list(choices)).map((one) => one.finish_reason)).toContain(finish)
})

test('a refusal is a refusal', async () => {
  const said = { ...message, content: [{ type: 'refusal', refusal: 'No.' }] }
  const { helix } = await start((response) => json(response, { ...document, output: [said] }), always)
  expect((await postJson(helix, '/chat/completions', ask)).body).toMatchObject({
    choices: [{ message: { content: null, refusal: 'No.' } }],
  })
})

test('a stream that breaks off ends with an error and is billed for what was sent', async () => {
  const { helix } = await start((response) => stream(response, ...begun), always)
  const response = await helix.chat({ ...long, stream: true })
  const text = await response.text()
  expect(text).toContain('upstream_failed')
  expect(text).not.toContain('[DONE]')
  const [row] = await readLedger(helix)
  expect(row?.settlement).toMatchObject({ outcome: 'failed' })
  expect(row?.settlement?.completionTokens).toBeGreaterThan(0)
})

test('an upstream that has no Responses API after all is asked for a chat completion', async () => {
  const { helix, paths } = await start(
    (response, { url }) =>
      url === '/v1/responses' ? json(response, { error: 'no such path' }, 404) : sayJson(response, { content: 'chat' }),
    always,
  )
  expect((await postJson(helix, '/chat/completions', ask)).body).toMatchObject({
    choices: [{ message: { content: 'chat' } }],
  })
  expect(paths()).toEqual(['/responses', '/chat/completions'])
})

test('a test of such an upstream asks it there, too', async () => {
  const { helix, paths } = await start((response, asked) => {
    if (asked.url === '/v1/models') return json(response, { data: [{ id: 'big' }] })
    return asked.url === '/v1/responses' ? answerResponse(response, asked) : json(response, {}, 404)
  }, always)
  expect(await helix.control('POST', '/control/upstreams/hosted/test')).toMatchObject({ problem: null })
  expect(paths()).toEqual(['/responses'])
})
