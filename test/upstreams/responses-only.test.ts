import { expect, test } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { startUpstream, stream } from '../harness/scripted-upstream.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

type Answer = Parameters<typeof startUpstream>[0]

const json = (response: Parameters<Answer>[0], body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'OK' }] }
const usage = { input_tokens: 3, output_tokens: 1, total_tokens: 4 }
const document = { id: 'resp_1', object: 'response', status: 'completed', output: [message], usage }
const only = 'This model is only supported in v1/responses and not in v1/chat/completions.'

/** A model without chat completions, as some of OpenAI's. */
const startOnly = () =>
  startUpstream((response, { url }) => {
    if (url === '/v1/models') return json(response, { data: [{ id: 'big' }] })
    return url === '/v1/responses' ? json(response, document) : json(response, { error: { message: only } }, 404)
  })
const openai = (url: string) => ({ name: 'hosted', preset: 'openai', url, key: 'k', models: [{ name: 'big' }] })
const ask = { model: 'big', messages: [{ role: 'user', content: 'Hi' }] }

test('what the Responses API has no field for is refused by name, and is no failure of the upstream', async () => {
  const upstream = await startOnly()
  const helix = await startWithUpstreams([openai(upstream.baseUrl)])
  for (const field of ['seed', 'presence_penalty', 'seed', 'seed', 'seed', 'seed']) {
    const { status, body } = await postJson(helix, '/chat/completions', { ...ask, [field]: 1 })
    expect([status, body.error?.code]).toEqual([400, 'upstream_refused'])
    expect(body).toMatchObject({ error: { message: expect.stringContaining(`no ${field}`) } })
  }
  expect(upstream.asked.filter(({ url }) => url === '/v1/chat/completions')).toHaveLength(6)
  expect((await postJson(helix, '/chat/completions', ask)).status).toBe(200)
})

test('it passes a test and its canaries', async () => {
  const upstream = await startOnly()
  const canary = { prompt: 'Reply with OK.', expect: 'ok' }
  const helix = await startWithUpstreams([{ ...openai(upstream.baseUrl), canary }])
  expect(await helix.control('POST', '/control/upstreams/hosted/test')).toMatchObject({ problem: null, model: 'big' })
  expect(upstream.asked.filter(({ url }) => url === '/v1/responses').map(({ body }) => body)).toEqual([
    { model: 'big', input: 'Reply with OK.', store: false, max_output_tokens: 16 },
    { model: 'big', input: 'Reply with OK.', store: false, max_output_tokens: 16, temperature: 0 },
  ])
})

test('it is not asked at a Responses API that the operator does not say is there', async () => {
  const upstream = await startOnly()
  const helix = await startWithUpstreams([{ ...openai(upstream.baseUrl), capabilities: ['vision'] }])
  expect(await helix.control('POST', '/control/upstreams/hosted/test')).toMatchObject({
    problem: expect.stringContaining('/v1/chat/completions does not exist'),
  })
})

test('an upstream whose models are not named is tried with its own capabilities and canary', async () => {
  const upstream = await startUpstream((response, { url }) => {
    if (url === '/v1/models') return json(response, { data: [{ id: 'big' }] })
    return url === '/v1/responses' ? json(response, document) : json(response, { error: 'nothing here' }, 404)
  })
  const owner = await claimServer(await startWithUpstreams([]))
  const capabilities = ['responses_for_chat']
  const canary = { prompt: 'What is the capital of France?', expect: 'Paris' }
  const wanted = { name: 'hosted', preset: 'openai', url: upstream.baseUrl, key: 'k', capabilities }
  const tryOut = async (more: object) =>
    (await owner.post('/admin/upstreams/try', { edited: null, upstream: { ...wanted, ...more } })).json()
  expect(await tryOut({})).toEqual({ problem: null, listed: ['big'], model: 'big' })
  expect(await tryOut({ canary })).toMatchObject({ problem: { fault: 'wrong_answer' } })
})

test('an answer that takes the least limit of the Responses API is counted up to the limit of the request', async () => {
  const used = { ...usage, output_tokens: 16, output_tokens_details: { reasoning_tokens: 16 } }
  const thought = { ...document, ...{ status: 'incomplete', output: [], usage: used } }
  const cut = { ...thought, incomplete_details: { reason: 'max_output_tokens' } }
  const upstream = await startUpstream((response, { url, body }) => {
    if (url === '/v1/models') return json(response, { data: [{ id: 'big' }] })
    if (body.stream !== true) return json(response, cut)
    const end = { type: 'response.incomplete', response: cut }
    return stream(response, `event: ${end.type}\ndata: ${JSON.stringify(end)}\n\n`)
  })
  const capabilities = ['responses_for_chat']
  const helix = await startWithUpstreams([{ ...openai(upstream.baseUrl), capabilities }])
  const short = { ...ask, max_completion_tokens: 5 }
  const { body } = await postJson(helix, '/chat/completions', short)
  expect(body).toMatchObject({
    choices: [{ finish_reason: 'length' }],
    usage: { prompt_tokens: 3, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 5 } },
  })
  await (await helix.chat({ ...short, stream: true })).text()
  const rows = await readLedger(helix)
  expect(rows.map(({ settlement: one }) => [one?.completionTokens, one?.reasoningTokens, one?.isEstimated])).toEqual([
    [5, 5, undefined],
    [5, 5, undefined],
  ])
})

test('raw prompts of a model whose chats go there keep the fields of completions', async () => {
  const upstream = await startUpstream((response, { url }) => {
    if (url === '/v1/models') return json(response, { data: [{ id: 'big' }] })
    const choices = [{ index: 0, text: 'up', finish_reason: 'stop' }]
    return json(response, { object: 'text_completion', choices, usage: { prompt_tokens: 3, completion_tokens: 1 } })
  })
  const own = { name: 'gpu', url: upstream.baseUrl, capabilities: ['responses_for_chat'], models: [{ name: 'big' }] }
  const helix = await startWithUpstreams([own])
  const raw = { model: 'big', prompt: 'What is', seed: 1, stop: 'x', max_tokens: 20 }
  expect((await postJson(helix, '/completions', raw)).body).toMatchObject({ choices: [{ text: 'up' }] })
  const asked = upstream.asked.filter(({ url }) => url === '/v1/completions').map(({ body }) => body)
  expect(asked).toMatchObject([{ prompt: 'What is', seed: 1, stop: ['x'], max_tokens: 20 }])
  expect((await postJson(helix, '/chat/completions', { ...ask, seed: 1 })).body.error?.param).toBe('seed')
})
