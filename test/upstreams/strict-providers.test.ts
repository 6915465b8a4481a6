import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { upstreamPresetNames } from '../../src/config/upstream-presets.ts'
import { bundledPrices } from '../../src/upstreams/bundled-prices.ts'
import { claimServer } from '../harness/browser-session.ts'
import { audioBase64 } from '../harness/media.ts'
import { startUpstream, stream } from '../harness/scripted-upstream.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

type Fields = Record<string, unknown>
const messagesOf = ({ messages }: Fields): Fields[] => messages as Fields[]
const someMessage = (body: Fields, is: (message: Fields) => boolean): boolean => messagesOf(body).some(is)
const hasOthers = (fields: Fields, known: string): boolean =>
  Object.keys(fields).some((name) => !known.split(' ').includes(name))

/** What a provider says it refuses, and how it answers, by its own schema. */
type Provider = {
  refuses(body: Fields): boolean
  /** The field of reasoning; absent: it shows none. */
  reasoning?: 'reasoning' | 'reasoning_content'
  /** How it ends an answer that is complete. */
  finish?: string
  /** More members of each chunk's delta, of the choice and of the answer. */
  more?: { delta?: Fields; choice?: Fields; answer?: Fields }
  usage: Fields
  /** A chunk of its own has the counts of a stream; otherwise the last one. */
  endsWithCounts?: false
  comment?: string
  /** The counts that callers get. */
  counted?: Fields
}
const counts = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
const cached = { prompt_tokens_details: { cached_tokens: 2 } }
const hasName = (message: Fields): boolean => 'name' in message

const providers: Record<string, Provider> = {
  mistral: {
    refuses: (body) => 'stream_options' in body || someMessage(body, hasName),
    ...{ usage: counts, endsWithCounts: false },
  },
  groq: {
    refuses: (body) => someMessage(body, hasName),
    ...{ reasoning: 'reasoning', usage: counts },
  },
  google: {
    refuses: (body) =>
      someMessage(
        body,
        ({ role, name, tool_calls: calls, ...others }) =>
          'reasoning_content' in others ||
          (role === 'tool' && name !== 'look') ||
          (Array.isArray(calls) && !JSON.stringify(calls[0]).includes('"thought_signature"')),
      ),
    usage: counts,
  },
  // Reasoning that led to calls has to be sent back with them.
  deepseek: {
    refuses: (body) =>
      hasOthers(
        body,
        'model messages max_tokens tools tool_choice stream stream_options temperature top_p stop response_format',
      ) || someMessage(body, (message) => 'tool_calls' in message && !('reasoning_content' in message)),
    reasoning: 'reasoning_content',
    usage: { ...counts, prompt_cache_hit_tokens: 2, prompt_cache_miss_tokens: 5 },
    counted: cached,
  },
  // It counts reasoning beside the completion.
  xai: {
    refuses: (body) => ['stop', 'frequency_penalty', 'presence_penalty', 'top_k'].some((name) => name in body),
    reasoning: 'reasoning_content',
    usage: { ...counts, completion_tokens: 1, completion_tokens_details: { reasoning_tokens: 2 }, ...cached },
    counted: { ...cached, completion_tokens_details: expect.objectContaining({ reasoning_tokens: 2 }) },
  },
  openrouter: {
    refuses: (body) => someMessage(body, ({ role, content }) => role === 'tool' && typeof content !== 'string'),
    ...{ reasoning: 'reasoning', comment: ': OPENROUTER PROCESSING\n\n' },
    more: {
      delta: { reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', index: 0 }] },
      choice: { native_finish_reason: 'end_turn' },
      answer: { provider: 'Some', system_fingerprint: null },
    },
    usage: { ...counts, ...cached, completion_tokens_details: { reasoning_tokens: 2 }, cost: 0.001, is_byok: false },
    counted: { ...cached, completion_tokens_details: expect.objectContaining({ reasoning_tokens: 2 }) },
  },
  together: {
    refuses: (body) => 'logprobs' in body || 'max_completion_tokens' in body,
    ...{ reasoning: 'reasoning', finish: 'eos' },
    more: { delta: { token_id: 17 }, choice: { seed: 1, text: 'Hello' }, answer: { prompt: [], warnings: null } },
    usage: { ...counts, prompt_tokens_details: null, cached_tokens: 2 },
    ...{ endsWithCounts: false, counted: cached },
  },
  fireworks: {
    refuses: (body) =>
      hasOthers(
        body,
        `model messages max_tokens tools tool_choice parallel_tool_calls stream temperature top_p top_k min_p stop seed
        logit_bias logprobs top_logprobs response_format reasoning_effort repetition_penalty frequency_penalty
        presence_penalty ignore_eos`,
      ) || someMessage(body, (message) => hasOthers(message, 'role content reasoning_content tool_calls tool_call_id')),
    reasoning: 'reasoning_content',
    usage: { ...counts, ...cached },
    ...{ endsWithCounts: false, counted: cached },
  },
  ollama: {
    refuses: (body) =>
      'top_k' in body || someMessage(body, ({ content, tool_calls: calls }) => content === null && calls === undefined),
    ...{ reasoning: 'reasoning', more: { answer: { system_fingerprint: 'fp_ollama' } }, usage: counts },
  },
  'lm-studio': {
    refuses: (body) =>
      (body.response_format as Fields | undefined)?.type === 'json_object' ||
      (body.tool_choice !== undefined && typeof body.tool_choice !== 'string'),
    ...{ reasoning: 'reasoning_content', more: { answer: { stats: {}, system_fingerprint: 'm' } } },
    usage: { ...counts, completion_tokens_details: { reasoning_tokens: 2 } },
    counted: { completion_tokens_details: expect.objectContaining({ reasoning_tokens: 2 }) },
  },
  // What was cached is reported only if the server is told to.
  sglang: {
    refuses: (body) =>
      someMessage(body, ({ role, content }) =>
        Array.isArray(content)
          ? content.some(({ type }) => type === 'input_audio')
          : typeof content !== 'string' && role !== 'assistant',
      ),
    ...{ reasoning: 'reasoning_content', more: { choice: { matched_stop: 151_645 } } },
    usage: { ...counts, prompt_tokens_details: null, reasoning_tokens: 2 },
    counted: { completion_tokens_details: expect.objectContaining({ reasoning_tokens: 2 }) },
  },
}

const answer = async (response: ServerResponse, isStream: boolean, provider: Provider): Promise<void> => {
  const { reasoning, finish = 'stop', more = {}, usage, endsWithCounts = true, comment = '' } = provider
  const thought = reasoning === undefined ? {} : { [reasoning]: 'Hm.' }
  const choice = (said: Fields) => ({ index: 0, logprobs: null, finish_reason: null, ...said })
  if (!isStream) {
    const message = { role: 'assistant', ...more.delta, content: 'Hello', ...thought }
    const choices = [{ ...choice({ message, finish_reason: finish }), ...more.choice }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', ...more.answer, choices, usage }))
    return
  }
  const event = (choices: Fields[], rest: Fields = {}): string =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...more.answer, choices, ...rest })}\n\n`
  const delta = (said: Fields) => [choice({ delta: { role: 'assistant', ...more.delta, ...said } })]
  const ending = [{ ...choice({ delta: { content: '' }, finish_reason: finish }), ...more.choice, text: undefined }]
  await stream(
    response,
    ...[comment, ...(reasoning === undefined ? [] : [event(delta({ content: '', ...thought }))]), comment],
    ...[event(delta({ content: 'Hel' })), event(delta({ content: 'lo' }))],
    event(ending, endsWithCounts ? {} : { usage }),
    ...(endsWithCounts ? [event([], { usage })] : []),
    'data: [DONE]\n\n',
  )
}

const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })
const talk = (question: string) => [
  { role: 'user', name: 'anna', content: question },
  { role: 'assistant', content: '', reasoning_content: 'Look.', tool_calls: [call('call_1'), call('call_2')] },
  { role: 'tool', tool_call_id: 'call_1', content: 'sun' },
  { role: 'tool', tool_call_id: 'call_2', content: 'rain' },
]
const tools = [{ type: 'function', function: { name: 'look' } }]

const startWith = async (preset: string, provider: Provider, more: object = {}) => {
  const upstream = await startUpstream((response, { body }) => {
    if (body.messages === undefined) return response.writeHead(200).end('{"data":[]}')
    if (provider.refuses(body)) return response.writeHead(422).end('{"message":"extra_forbidden"}')
    return answer(response, body.stream === true, provider)
  })
  return startWithUpstreams([{ name: 'p', preset, url: upstream.baseUrl, key: 'k', models: [{ name: 'm' }], ...more }])
}

test.each(
  Object.entries(providers).flatMap(([preset, provider]) => [
    { preset, provider, length: 1 },
    { preset, provider, length: 100_000 },
  ]),
)(
  '$preset gets no field that it refuses, and its answers are read, in a prompt of $length characters',
  async ({ preset, provider, length }) => {
    const helix = await startWith(preset, provider)
    const body = { model: 'm', messages: talk('w'.repeat(length)), tools, max_tokens: 5 }
    const thought = provider.reasoning === undefined ? {} : { reasoning_content: 'Hm.' }
    const usage = { prompt_tokens: 7, completion_tokens: 3, ...provider.counted }
    expect(await postJson(helix, '/chat/completions', body)).toMatchObject({
      status: 200,
      body: { choices: [{ message: { content: 'Hello', ...thought }, finish_reason: 'stop' }], usage },
    })
    const asked = { ...body, stream: true, stream_options: { include_usage: true } }
    const chunks = (await (await helix.chat(asked)).text())
      .split('\n\n')
      .filter((event) => event.startsWith('data: {'))
      .map((event) => JSON.parse(event.slice(6)))
    const said = (name: string): string => chunks.map(({ choices: [first] }) => first?.delta[name] ?? '').join('')
    expect([said('content'), said('reasoning_content')]).toEqual(['Hello', provider.reasoning ? 'Hm.' : ''])
    expect(chunks.at(-1)).toMatchObject({ usage })
  },
)

test.each(['sglang', 'lm-studio'])('%s gets what it accepts for any JSON object, and for audio', async (preset) => {
  const provider = providers[preset]
  if (provider === undefined) throw new Error('no row')
  const helix = await startWith(preset, provider, { capabilities: ['audio'] })
  const sound = { type: 'input_audio', input_audio: { data: audioBase64.wav, format: 'wav' } }
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'JSON, please.' }, sound] }]
  const body = { model: 'm', messages, response_format: { type: 'json_object' }, max_tokens: 5 }
  expect(await postJson(helix, '/chat/completions', body)).toMatchObject({ status: 200 })
})

test.each([1, 100_000])(
  'LM Studio is shown only the function that is named, in a prompt of %i characters',
  async (length) => {
    const shown: unknown[] = []
    const provider: Provider = {
      refuses(body) {
        shown.push(body.tool_choice, body.tools)
        return providers['lm-studio']?.refuses(body) ?? true
      },
      usage: counts,
    }
    const helix = await startWith('lm-studio', provider)
    const body = { model: 'm', messages: [{ role: 'user', content: 'w'.repeat(length) }], max_tokens: 5 }
    const two = [...tools, { type: 'function', function: { name: 'wait' } }]
    const tool_choice = { type: 'function', function: { name: 'look' } }
    expect(await postJson(helix, '/chat/completions', { ...body, tools: two, tool_choice })).toMatchObject({
      status: 200,
    })
    expect(shown.slice(-2)).toEqual(['required', tools])
  },
)

test('Google lists its models with a prefix that requests need not have', async () => {
  const upstream = await startUpstream((response, { body }) => {
    if (body.messages !== undefined)
      return answer(response, body.stream === true, { refuses: () => false, usage: counts })
    return response.writeHead(200).end('{"object":"list","data":[{"id":"models/gemini-x","object":"model"}]}')
  })
  const google = { preset: 'google', url: upstream.baseUrl, key: 'k' }
  const helix = await startWithUpstreams([{ name: 'listing', ...google }])
  expect(await postJson(helix, '/chat/completions', { model: 'gemini-x', messages: talk('Hi') })).toMatchObject({
    status: 200,
  })
  expect(upstream.asked.at(-1)?.body.model).toBe('gemini-x')
  const owner = await claimServer(helix)
  for (const name of ['gemini-x', 'models/gemini-x', 'gemini-y']) {
    const wanted = { name: 'named', ...google, models: [{ name: 'own', upstreamName: name }] }
    const tried = await (await owner.post('/admin/upstreams/try', { edited: null, upstream: wanted })).json()
    const problem = { fault: 'no_model', reason: 'The upstream has no model gemini-y. It lists: gemini-x.' }
    expect(tried).toMatchObject({ problem: name === 'gemini-y' ? problem : null })
  }
})

test('Mistral is sent the effort that a caller asks for', async () => {
  const provider = providers.mistral
  if (provider === undefined) throw new Error('no row')
  const efforts: unknown[] = []
  const helix = await startWith('mistral', {
    ...provider,
    refuses: (body) => {
      efforts.push(body.reasoning_effort)
      return provider.refuses(body)
    },
  })
  for (const reasoning_effort of ['high', undefined])
    await postJson(helix, '/chat/completions', { model: 'm', messages: talk('Hi'), reasoning_effort })
  expect(efforts).toEqual(['high', undefined])
})

test('what OpenRouter refuses of a prompt is an error of the request, and the upstream goes on', async () => {
  const upstream = await startUpstream((response, { body }) => {
    if (body.messages === undefined) return response.writeHead(200).end('{"data":[]}')
    if (!JSON.stringify(body).includes('attack')) return answer(response, false, providers.openrouter as Provider)
    const metadata = { reasons: ['violence'], flagged_input: 'attack', provider_name: 'Some', model_slug: 'm' }
    response.writeHead(403, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ error: { code: 403, message: 'Your input was flagged.', metadata } }))
  })
  const models = [{ name: 'm' }]
  const helix = await startWithUpstreams([{ name: 'p', preset: 'openrouter', url: upstream.baseUrl, key: 'k', models }])
  const ask = (content: string) =>
    postJson(helix, '/chat/completions', { model: 'm', messages: [{ role: 'user', content }] })
  expect(await ask('attack')).toMatchObject({ status: 400, body: { error: { code: 'upstream_refused' } } })
  expect(await ask('Hi')).toMatchObject({ status: 200 })
  expect(await helix.control('GET', '/control/upstreams')).toMatchObject({ data: [{ state: 'active' }] })
})

test.each([
  "This model's maximum prompt length is 131072 but the request contains 131090 tokens.",
  "The input (691793 tokens) is longer than the model's context length (540000 tokens).",
  'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).',
  'The prompt is greater than the context length of the model.',
])('a prompt that is too long is told as such, whatever the provider calls it: %s', async (message) => {
  const upstream = await startUpstream((response, { body }) =>
    response.writeHead(body.messages === undefined ? 200 : 400).end(JSON.stringify({ data: [], error: { message } })),
  )
  const models = [{ name: 'm' }]
  const helix = await startWithUpstreams([{ name: 'p', preset: 'xai', url: upstream.baseUrl, key: 'k', models }])
  expect(
    await postJson(helix, '/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
  ).toMatchObject({ status: 400, body: { error: { code: 'context_length_exceeded' } } })
})

test('bundled prices belong to providers that can be chosen, and cached tokens cost no more than others', () => {
  for (const [preset, models] of Object.entries(bundledPrices.prices)) {
    expect(upstreamPresetNames).toContain(preset)
    for (const { prompt, cached, completion } of Object.values(models)) {
      expect(cached).toBeLessThanOrEqual(prompt)
      // Those of embeddings have none.
      if (completion > 0) expect(completion).toBeGreaterThanOrEqual(prompt)
    }
  }
})
