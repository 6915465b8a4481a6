import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { openRemoteEngine } from '../../src/engine/remote/remote-engine.ts'
import { createLogCatcher } from '../harness/log-catcher.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { readEvents } from '../harness/read-events.ts'
import {
  deltaEvent,
  doneEvent,
  finishEvent,
  sayJson,
  startUpstream,
  stream,
  usageEvent,
} from '../harness/scripted-upstream.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

type UpstreamHandler = Parameters<typeof startUpstream>[0]
type Engine = Partial<Parameters<typeof openRemoteEngine>[0]>

const start = async (answer: UpstreamHandler, options: Engine = {}) => {
  const upstream = await startUpstream(answer)
  const { log } = createLogCatcher({ clock: createManualClock(), format: 'json' })
  const helix = await startHelix({
    startEngine: () =>
      openRemoteEngine({
        ...{ baseUrl: upstream.baseUrl, key: null, upstreamModel: 'theirs', name: modelName, contextTokens: null },
        ...{ slots: 4, created: 0, log },
        ...options,
      }),
  })
  return { helix, upstream }
}

type Message = Record<string, unknown> & { content: string | null }
type Choice = { index: number; message: Message; delta: Message; finish_reason: string | null; logprobs: unknown }
type Completion = { choices: Choice[]; usage: Record<string, unknown> }
const jsonOf = async (response: Response): Promise<Completion> => {
  const body = (await response.json()) as Completion
  expect(response.status, JSON.stringify(body)).toBe(200)
  return body
}
const chunksOf = async (response: Response): Promise<Completion[]> => {
  const events = await readEvents(response)
  expect(events.at(-1)).toBe('[DONE]')
  return events.slice(0, -1).map((data) => JSON.parse(data))
}
const deltasOf = (chunks: readonly Completion[]) => chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta))

const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    strict: true,
  },
}
const clock = { type: 'function', function: { name: 'clock' } }

test('an upstream does not receive fields that Helix does not know', async () => {
  const { helix, upstream } = await start((response) => sayJson(response, { content: 'ok' }))
  const messages = [{ role: 'user', content: 'Hi', cache_breakpoint: true }]
  const response = await helix.chat({ messages, mood: 'good', provider: { order: ['x'] } })
  await jsonOf(response)
  expect(response.headers.get('x-helix-ignored-fields')).toBe('mood, provider, messages[0].cache_breakpoint')
  expect(JSON.stringify(upstream.asked.map(({ body }) => body))).not.toMatch(/mood|provider|cache_breakpoint/)
  expect(JSON.stringify(upstream.asked.map(({ body }) => body))).toContain('Hi')
})

test('chunks that an upstream sends together are sent on as chunks of their own, and each counts', async () => {
  const pieces = ['The', ' sea', ' is', ' "deep"', ' and\n', ' blue', ' 海', ' 😀', '.']
  const { helix, upstream } = await start((response) =>
    stream(response, [...pieces.map((content) => deltaEvent({ content })), finishEvent(), doneEvent].join('')),
  )
  for (const asked of [{}, { stop: ['Zz'] }, { store: true }]) {
    const chunks = await chunksOf(await helix.chat({ stream: true, stream_options: { include_usage: true }, ...asked }))
    const [role, ...deltas] = deltasOf(chunks)
    expect(role).toEqual({ role: 'assistant', content: '', refusal: null })
    expect(deltas.map(({ content }) => content)).toEqual([...pieces, undefined])
    expect(chunks.at(-1)?.usage).toMatchObject({ completion_tokens: pieces.length })
  }
  expect(upstream.asked).toHaveLength(3)
})

test('a JSON answer is requested as JSON, with everything that the caller set', async () => {
  const { helix, upstream } = await start((response) => sayJson(response, { content: 'ok' }))
  const wanted = {
    tools: [weather, clock],
    tool_choice: 'required',
    parallel_tool_calls: false,
    logit_bias: { 42: -100 },
    logprobs: true,
    top_logprobs: 2,
    reasoning_effort: 'low',
    seed: 5,
    stop: ['END'],
    presence_penalty: 0.5,
    top_k: 3,
  }
  await jsonOf(await helix.chat({ ...wanted, max_completion_tokens: 9 }))
  const [asked] = upstream.asked
  expect(asked?.body).toEqual({
    model: 'theirs',
    messages: [{ role: 'user', content: 'Hi' }],
    ...wanted,
    max_tokens: 9,
  })
})

test('a conversation with calls, results and reasoning arrives as it was', async () => {
  const { helix, upstream } = await start((response) => sayJson(response, { content: 'ok' }))
  const called = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Tokyo"}' } }
  const messages = [
    { role: 'user', content: 'Weather?' },
    { role: 'assistant', content: null, reasoning_content: 'I should look.', tool_calls: [called] },
    { role: 'tool', content: 'Sunny', tool_call_id: 'call_1' },
  ]
  await jsonOf(await helix.chat({ messages, tools: [weather] }))
  expect(upstream.asked[0]?.body.messages).toEqual(messages)
})

test('a function that is named, and those that are allowed', async () => {
  const { helix, upstream } = await start((response) => sayJson(response, { content: 'ok' }))
  const named = { type: 'function', function: { name: 'clock' } }
  await helix.chat({ tools: [weather, clock], tool_choice: named })
  const allowed = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [named] } }
  await helix.chat({ tools: [weather, clock], tool_choice: allowed })
  await helix.chat({ tools: [weather], tool_choice: 'none' })
  expect(upstream.asked.map(({ body }) => [body.tools, body.tool_choice])).toEqual([
    [[weather, clock], named],
    [[clock], 'auto'],
    [undefined, undefined],
  ])
})

test.each([
  [{ type: 'json_object' }, { type: 'json_object' }],
  [
    { type: 'json_schema', json_schema: { name: 'city', schema: { type: 'object' }, strict: true } },
    { type: 'json_schema', json_schema: { name: 'city', schema: { type: 'object' }, strict: true } },
  ],
])('a response format is passed on: %j', async (response_format, expected) => {
  const { helix, upstream } = await start((response) => sayJson(response, { content: '{}' }))
  const messages = [{ role: 'user', content: 'Answer in JSON.' }]
  const { choices } = await jsonOf(await helix.chat({ messages, response_format }))
  expect(upstream.asked[0]?.body.response_format).toEqual(expected)
  expect(choices[0]?.message.content).toBe('{}')
})

test('an upstream with little context answers within it if the caller chose no limit, and is asked once if one was chosen', async () => {
  const message =
    "This model's maximum context length is 1024 tokens. However, you requested 4106 tokens (10 in the messages, 4096 in the completion)."
  const { helix, upstream } = await start((response, { body }) => {
    if (Number(body.max_tokens) <= 1014) return sayJson(response, { content: 'Hello' })
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'error', message, type: 'BadRequestError', code: 400 }))
  })
  const { choices } = await jsonOf(await helix.chat({}))
  expect(choices[0]?.message.content).toBe('Hello')
  expect(upstream.asked.map(({ body }) => body.max_tokens)).toEqual([4096, 1014])
  const refused = await helix.chat({ max_tokens: 2000 })
  expect(refused.status).toBe(400)
  expect(await readError(refused)).toMatchObject({ code: 'context_length_exceeded', message })
  expect(upstream.asked).toHaveLength(3)
})

test('llama-server is sent a schema for any object, because without one it adds text after the object', async () => {
  const { helix, upstream } = await start((response) => sayJson(response, { content: '{}' }), { kind: 'llama-server' })
  const messages = [{ role: 'user', content: 'Answer in JSON.' }]
  await jsonOf(await helix.chat({ messages, response_format: { type: 'json_object' } }))
  expect(upstream.asked[0]?.body.response_format).toEqual({ type: 'json_object', schema: { type: 'object' } })
})

const twoCalls = [
  { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{"city":"Tokyo"}' } },
  { id: 'chatcmpl-tool-7', type: 'function', function: { name: 'clock', arguments: '{}' } },
]

test('calls of a JSON answer keep their order, names and arguments; foreign ids get our form', async () => {
  const { helix } = await start((response) =>
    sayJson(response, { content: null, tool_calls: twoCalls }, { finish_reason: 'tool_calls' }),
  )
  const { choices, usage } = await jsonOf(await helix.chat({ tools: [weather, clock] }))
  expect(choices).toMatchObject([
    {
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [twoCalls[0], { ...twoCalls[1], id: expect.stringMatching(/^call_\w{24}$/) }],
      },
    },
  ])
  expect(usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3 })
})

/** How upstreams differ in sending the same two calls. */
const callStreams: [string, string[]][] = [
  [
    'as the official service',
    [
      deltaEvent({ role: 'assistant', content: null }),
      deltaEvent({
        tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'weather', arguments: '' } }],
      }),
      deltaEvent({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
      deltaEvent({ tool_calls: [{ index: 0, function: { arguments: '"Tokyo"}' } }] }),
      deltaEvent({
        tool_calls: [{ index: 1, id: 'call_b', type: 'function', function: { name: 'clock', arguments: '{}' } }],
      }),
    ],
  ],
  [
    'without an index',
    [
      deltaEvent({ tool_calls: [{ id: 'a', function: { name: 'weather' } }] }),
      deltaEvent({ tool_calls: [{ function: { arguments: '{"city":"Tokyo"}' } }] }),
      deltaEvent({ tool_calls: [{ id: 'b', function: { name: 'clock', arguments: '{}' } }] }),
    ],
  ],
  [
    'with the same index for every call',
    [
      deltaEvent({ tool_calls: [{ index: 0, id: 'a', function: { name: 'weather', arguments: '{"city":"Tokyo"}' } }] }),
      deltaEvent({ tool_calls: [{ index: 0, id: 'b', function: { name: 'clock', arguments: '{}' } }] }),
    ],
  ],
  [
    'without index and id, with arguments as an object',
    [
      deltaEvent({
        tool_calls: [
          { function: { name: 'weather', arguments: { city: 'Tokyo' } } },
          { function: { name: 'clock', arguments: {} } },
        ],
      }),
    ],
  ],
  [
    'with the name after the arguments, and the id in every part',
    [
      deltaEvent({ tool_calls: [{ index: 3, id: 'a', function: { arguments: '{"city":' } }] }),
      deltaEvent({ tool_calls: [{ index: 3, id: 'a', function: { name: 'weather', arguments: '"Tokyo"}' } }] }),
      deltaEvent({ tool_calls: [{ index: 4, id: 'b', function: { name: 'clock', arguments: '{}' } }] }),
    ],
  ],
]
test.each(callStreams)('streamed calls are numbered and complete, however they arrive: %s', async (_, events) => {
  const { helix } = await start((response) =>
    stream(response, ...events, finishEvent('tool_calls'), usageEvent(7, 9), doneEvent),
  )
  const chunks = await chunksOf(await helix.chat({ tools: [weather, clock], stream: true }))
  type Part = { index: number; id?: string; function: { name?: string; arguments: string } }
  const parts = deltasOf(chunks).flatMap((delta) => (delta.tool_calls ?? []) as Part[])
  const joined = [0, 1].map((index) => {
    const own = parts.filter((part) => part.index === index)
    return [own[0]?.function.name, own.map((part) => part.function.arguments).join('')]
  })
  expect(joined).toEqual([
    ['weather', '{"city":"Tokyo"}'],
    ['clock', '{}'],
  ])
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls')
})

test('one call at a time means one call, whatever the upstream does', async () => {
  const { helix } = await start((response) => sayJson(response, { content: null, tool_calls: twoCalls }))
  const { choices } = await jsonOf(await helix.chat({ tools: [weather, clock], parallel_tool_calls: false }))
  expect(choices).toMatchObject([{ finish_reason: 'tool_calls', message: { tool_calls: [twoCalls[0]] } }])
  expect(choices[0]?.message.tool_calls).toHaveLength(1)
})

test('functions, the older spelling, become tools and come back as function_call', async () => {
  const { helix, upstream } = await start((response) =>
    sayJson(response, { content: null, function_call: { name: 'clock', arguments: '{}' } }),
  )
  const { choices } = await jsonOf(await helix.chat({ functions: [{ name: 'clock' }] }))
  expect(upstream.asked[0]?.body.tools).toEqual([clock])
  expect(choices).toMatchObject([
    { finish_reason: 'function_call', message: { function_call: { name: 'clock', arguments: '{}' } } },
  ])
})

test.each(['reasoning_content', 'reasoning'])(
  'reasoning has one name, whatever the upstream calls it: %s',
  async (name) => {
    const usage = { prompt_tokens: 5, completion_tokens: 8, completion_tokens_details: { reasoning_tokens: 6 } }
    const whole = await start((response) => sayJson(response, { content: 'Four.', [name]: 'Two and two.' }, {}, usage))
    const completion = await jsonOf(await whole.helix.chat({}))
    expect(completion).toMatchObject({
      choices: [{ message: { content: 'Four.', reasoning_content: 'Two and two.' } }],
      usage: { completion_tokens: 8, completion_tokens_details: { reasoning_tokens: 6 } },
    })
    const streamed = await start((response) =>
      stream(
        response,
        deltaEvent({ [name]: 'Two and ' }),
        deltaEvent({ [name]: 'two.' }),
        deltaEvent({ content: 'Four.' }),
        finishEvent(),
      ),
    )
    const deltas = deltasOf(await chunksOf(await streamed.helix.chat({ stream: true })))
    expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toBe('Two and two.')
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe('Four.')
  },
)

test('a <think> block is reasoning, in one piece or many', async () => {
  const text = '<think>Two and two.</think>\n\nFour.'
  const whole = await start((response) => sayJson(response, { content: text }))
  expect((await jsonOf(await whole.helix.chat({}))).choices[0]?.message).toMatchObject({
    content: 'Four.',
    reasoning_content: 'Two and two.',
  })
  const streamed = await start((response) =>
    stream(response, ...[...text].map((content) => deltaEvent({ content })), finishEvent()),
  )
  const deltas = deltasOf(await chunksOf(await streamed.helix.chat({ stream: true })))
  expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toBe('Two and two.')
  expect(deltas.map(({ content }) => content ?? '').join('')).toBe('Four.')
})

test('a refusal is passed on, whole and streamed', async () => {
  const whole = await start((response) => sayJson(response, { content: null, refusal: 'I cannot.' }))
  expect((await jsonOf(await whole.helix.chat({}))).choices[0]?.message).toMatchObject({
    content: null,
    refusal: 'I cannot.',
  })
  const streamed = await start((response) =>
    stream(response, deltaEvent({ refusal: 'I ' }), deltaEvent({ refusal: 'cannot.' }), finishEvent('content_filter')),
  )
  const chunks = await chunksOf(await streamed.helix.chat({ stream: true }))
  expect(
    deltasOf(chunks)
      .map(({ refusal }) => refusal ?? '')
      .join(''),
  ).toBe('I cannot.')
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('content_filter')
})

const entry = (token: string, logprob: number) => ({
  token,
  logprob,
  bytes: [...Buffer.from(token)],
  top_logprobs: [{ token, logprob, bytes: [...Buffer.from(token)] }],
})

test('log probabilities are passed on, token by token', async () => {
  const content = [entry('Hello', -0.5), entry(' there', -1.25)]
  const whole = await start((response) => sayJson(response, { content: 'Hello there' }, { logprobs: { content } }))
  const asked = { logprobs: true, top_logprobs: 1 }
  expect((await jsonOf(await whole.helix.chat(asked))).choices[0]?.logprobs).toEqual({ content, refusal: null })
  const streamed = await start((response) =>
    stream(
      response,
      ...content.map((one) => deltaEvent({ content: one.token }, { logprobs: { content: [one] } })),
      finishEvent(),
    ),
  )
  const chunks = await chunksOf(await streamed.helix.chat({ ...asked, stream: true }))
  const seen = chunks.flatMap(({ choices }) => (choices[0]?.logprobs as { content: unknown[] } | null)?.content ?? [])
  expect(seen).toEqual(content)
})

test('several choices are several calls, each with a seed of its own', async () => {
  const { helix, upstream } = await start((response, { body }) => sayJson(response, { content: `seed ${body.seed}` }))
  const { choices, usage } = await jsonOf(await helix.chat({ n: 3, seed: 10 }))
  expect(choices.map(({ message }) => message.content)).toEqual(['seed 10', 'seed 11', 'seed 12'])
  expect(usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 9 })
  expect(upstream.asked).toHaveLength(3)
})

test('an upstream that accepts no reasoning effort is not sent one, not even to turn reasoning off', async () => {
  const { helix, upstream } = await start((response) => sayJson(response, { content: 'Hi' }), { fields: ['seed'] })
  expect((await helix.chat({ reasoning_effort: 'none' })).status).toBe(200)
  expect(upstream.asked[0]?.body).not.toHaveProperty('reasoning_effort')
})

test('an upstream without stop texts gets none, and its answer ends at them all the same', async () => {
  const sendsMore = (response: ServerResponse) =>
    stream(response, deltaEvent({ content: 'one E' }), deltaEvent({ content: 'ND two' }), finishEvent())
  const { helix, upstream } = await start(sendsMore, { fields: ['seed'] })
  const { choices } = await jsonOf(await helix.chat({ stop: 'END' }))
  expect(choices).toMatchObject([{ message: { content: 'one ' }, finish_reason: 'stop' }])
  expect(upstream.asked[0]?.body).not.toHaveProperty('stop')
  expect(upstream.asked[0]?.body.stream).toBe(true)
})

test.each([
  ['tools', { tools: [weather] }],
  ['response_format', { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } }],
  ['guided_regex', { guided_regex: 'a+' }],
  ['logprobs', { logprobs: true }],
  ['logit_bias', { logit_bias: { 1: 1 } }],
  ['top_k', { top_k: 5 }],
  ['seed', { seed: 5 }],
  ['min_tokens', { min_tokens: 5 }],
  ['continue_final_message', { continue_final_message: true, messages: [{ role: 'assistant', content: 'a' }] }],
])('what an upstream does not accept is refused by name: %s', async (name, body) => {
  const { helix, upstream } = await start((response) => sayJson(response, { content: 'ok' }), { fields: ['none'] })
  const response = await helix.chat(body)
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ param: name })
  expect(upstream.asked).toEqual([])
})

test("vLLM's extensions are passed on to vLLM", async () => {
  const { helix, upstream } = await start((response) => sayJson(response, { content: 'ok' }), { kind: 'vllm' })
  const wanted = { stop_token_ids: [5], min_tokens: 2, ignore_eos: true, chat_template_kwargs: { a: 1 }, min_p: 0.1 }
  await jsonOf(await helix.chat({ ...wanted, guided_regex: 'a+' }))
  expect(upstream.asked[0]?.body).toMatchObject({ ...wanted, structured_outputs: { regex: 'a+' } })
})
