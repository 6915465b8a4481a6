import { expect, test } from 'vitest'
import { readLedger } from '../harness/read-ledger.ts'
import { startUpstream } from '../harness/scripted-upstream.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

type Answer = Parameters<typeof startUpstream>[0]
const vectors = [
  [0.6, 0.8, 0],
  [0, 0.6, 0.8],
]
const base64 = (vector: readonly number[]): string => Buffer.from(Float32Array.from(vector).buffer).toString('base64')
const json = (response: Parameters<Answer>[0], document: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document))
}
/** Answers with vectors in the encoding that it was asked for, the last one first. */
const embed: Answer = (response, { url, body }) => {
  if (url.endsWith('/models')) return json(response, { data: [] })
  const inputs = [body.input].flat()
  const data = inputs.map((_, index) => {
    const vector = vectors[index] ?? []
    return { object: 'embedding', index, embedding: body.encoding_format === 'base64' ? base64(vector) : vector }
  })
  return json(response, { object: 'list', data: data.reverse(), usage: { prompt_tokens: 5, total_tokens: 5 } })
}
const start = async (answer: Answer, more: object = {}) => {
  const upstream = await startUpstream(answer)
  const fields = { name: 'hosted', url: upstream.baseUrl, models: [{ name: 'embedder', kind: 'embedding' }], ...more }
  return { upstream, helix: await startWithUpstreams([fields]) }
}
const ask = { model: 'embedder', input: ['one', 'two words'] }

test.each(['compatible', 'openai'])('an upstream of the kind %s embeds, and its count is billed', async (kind) => {
  const { helix, upstream } = await start(embed, { kind, price: { prompt: 2 } })
  const { body, headers } = await postJson(helix, '/embeddings', ask)
  expect(body).toMatchObject({
    data: vectors.map((vector, index) => ({ index, embedding: vector.map((one) => expect.closeTo(one, 6)) })),
    model: 'embedder',
    usage: { prompt_tokens: 5, total_tokens: 5 },
  })
  expect(headers.get('x-helix-upstream')).toBe('hosted')
  expect(upstream.asked.at(-1)).toMatchObject({ url: '/v1/embeddings', body: ask })
  expect(await (await helix.get('/v1/models/embedder')).json()).toMatchObject({ kind: 'embedding' })
  const [row] = await readLedger(helix)
  expect(row).toMatchObject({ endpoint: 'embeddings', settlement: { promptTokens: 5, outcome: 'completed' } })
  expect(row?.settlement?.isEstimated ?? false).toBe(false)
})

test('vectors are shortened and encoded here, whatever the upstream can do', async () => {
  const { helix } = await start(embed)
  const { body } = await postJson(helix, '/embeddings', {
    ...ask,
    input: 'one',
    dimensions: 2,
    encoding_format: 'base64',
  })
  expect(body).toMatchObject({ data: [{ embedding: base64([0.6, 0.8]) }] })
  const wide = await postJson(helix, '/embeddings', { ...ask, dimensions: 9 })
  expect([wide.status, wide.body.error?.param]).toEqual([400, 'dimensions'])
})

test('without a count, or with an impossible one, tokens are estimated low and marked', async () => {
  const usages: unknown[] = [undefined, { prompt_tokens: 1_000_000 }]
  const { helix } = await start((response, { url, body }) => {
    if (url.endsWith('/models')) return json(response, { data: [] })
    expect(body.model).toBe('embedder')
    return json(response, { data: [{ index: 0, embedding: [1] }], usage: usages.shift() })
  })
  for (const _ of [1, 2]) await postJson(helix, '/embeddings', { ...ask, input: 'x'.repeat(50) })
  const rows = await readLedger(helix)
  expect(rows.map(({ settlement }) => [settlement?.promptTokens, settlement?.isEstimated])).toEqual([
    [10, true],
    [10, true],
  ])
})

test('another upstream embeds if one fails, and is told nothing twice', async () => {
  const broken = await startUpstream((response) => response.writeHead(500).end())
  const working = await startUpstream(embed)
  const models = [{ name: 'embedder', kind: 'embedding' }]
  const helix = await startWithUpstreams([
    { name: 'broken', url: broken.baseUrl, models: [{ ...models[0], weight: 100 }] },
    { name: 'working', url: working.baseUrl, models: [{ ...models[0], weight: 0.01 }] },
  ])
  for (let sent = 0; sent < 4; sent += 1) {
    const { status, headers } = await postJson(helix, '/embeddings', ask)
    expect([status, headers.get('x-helix-upstream')]).toEqual([200, 'working'])
  }
  const rows = await readLedger(helix)
  expect(rows.map(({ settlement }) => settlement?.promptTokens)).toEqual([5, 5, 5, 5])
})

/** No JSON, another shape, a missing vector, places that do not exist, words, a broken encoding, other lengths. */
const malformed = [
  '<html>',
  '{"data": null}',
  '{"embeddings": [[1, 2]], "data": {}}',
  JSON.stringify({ data: [{ index: 0, embedding: [1] }] }),
  JSON.stringify({ data: [-1, 2, 0.5, '0'].map((index) => ({ index, embedding: [1] })) }),
  JSON.stringify({ data: [0, 1].map((index) => ({ index, embedding: ['a'] })) }),
  JSON.stringify({ data: [0, 1].map((index) => ({ index, embedding: 'AAA' })) }),
  JSON.stringify({ data: [0, 1].map((index) => ({ index, embedding: vectors[0]?.slice(index) })) }),
]

test('an upstream that answers with anything else has failed, and nothing is billed', async () => {
  const left = [...malformed]
  const { helix } = await start((response, { url }) =>
    url.endsWith('/models') ? json(response, { data: [] }) : response.writeHead(200).end(left.shift()),
  )
  for (const document of malformed) {
    const { status, body } = await postJson(helix, '/embeddings', ask)
    expect([document, status, body.error?.code]).toEqual([document, 502, 'upstream_failed'])
  }
  for (const { settlement } of await readLedger(helix))
    expect(settlement).toMatchObject({ promptTokens: 0, outcome: 'failed' })
})

test('a response that is cut off, and a refusal with a reason', async () => {
  const { helix } = await start((response, { body }) => {
    if (body.input === undefined) return json(response, { data: [] })
    if ((body.input as string[])[0] === 'long') return json(response, { error: { message: 'Too long.' } }, 400)
    response.writeHead(200, { 'content-length': '1000' })
    response.write('{"data": [')
    return response.destroy()
  })
  expect((await postJson(helix, '/embeddings', ask)).body.error?.code).toBe('upstream_failed')
  const refused = await postJson(helix, '/embeddings', { ...ask, input: 'long' })
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('Too long.')])
})

test('an embedding model does not chat, and its test asks it for a vector', async () => {
  const { helix, upstream } = await start(embed)
  expect(await postJson(helix, '/chat/completions', { model: 'embedder', messages: [] })).toMatchObject({ status: 400 })
  expect(await helix.control('POST', '/control/upstreams/hosted/test')).toMatchObject({ problem: null })
  expect(upstream.asked.at(-1)).toMatchObject({ url: '/v1/embeddings', body: { input: 'OK' } })
})

const kindsOf = (field: 'kind' | 'type') => [
  { id: 'talks', [field]: 'chat' },
  { id: 'embeds', [field]: 'embedding' },
  { id: 'ranks', [field]: 'rerank' },
]

test.each([
  ['another Helix', { object: 'list', data: kindsOf('kind') }],
  ['Together', [...kindsOf('type'), { id: 'paints', type: 'image' }, { id: 'judges', type: 'moderation' }]],
])('the models of %s are of the kind that it lists', async (_, list) => {
  const upstream = await startUpstream((response) => json(response, list))
  const helix = await startWithUpstreams([{ name: 'other', url: upstream.baseUrl }])
  const { data: listed } = (await (await helix.get('/v1/models')).json()) as { data: { id: string; kind: string }[] }
  expect(listed.map(({ id, kind }) => [id, kind])).toEqual([
    ['helix-v1', 'chat'],
    ['talks', 'chat'],
    ['embeds', 'embedding'],
    ['ranks', 'rerank'],
  ])
})
