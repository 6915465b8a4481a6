import { expect, test } from 'vitest'
import { readLedger } from '../harness/read-ledger.ts'
import { startUpstream } from '../harness/scripted-upstream.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

type Answer = Parameters<typeof startUpstream>[0]
const json = (response: Parameters<Answer>[0], document: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
}
const scores = [0.25, 0.75, 0.5]
/** The best first, as all of them answer. */
const results = [1, 2, 0].map((index) => ({ index, relevance_score: scores[index] }))
const documents = ['a', 'b', 'c']

/** What each API answers, as its documentation shows it. */
const shapes: Record<string, { answer: object; tokens: number }> = {
  jina: {
    answer: {
      ...{ model: 'jina-reranker-v2-base-multilingual', usage: { total_tokens: 30 } },
      results: results.map((one) => ({ ...one, document: { text: documents[one.index] } })),
    },
    tokens: 30,
  },
  cohere: {
    answer: { id: '07734bd2', results, meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } } },
    // It counts searches, so tokens are estimated: one for each pair at least.
    tokens: 1,
  },
  vllm: { answer: { id: 'rerank-1', model: 'm', usage: { total_tokens: 24 }, results }, tokens: 24 },
  'llama-server': {
    answer: { model: 'm', object: 'list', usage: { prompt_tokens: 21, total_tokens: 21 }, results },
    tokens: 21,
  },
}

const start = async (answer: Answer, more: object = {}) => {
  const upstream = await startUpstream((response, asked) =>
    asked.url.endsWith('/models') ? response.writeHead(404).end() : answer(response, asked),
  )
  const fields = { name: 'hosted', url: upstream.baseUrl, models: [{ name: 'ranker', kind: 'rerank' }], ...more }
  return { upstream, helix: await startWithUpstreams([fields]) }
}
const ask = { model: 'ranker', query: 'q', documents }

test.each(Object.entries(shapes))(
  'the answer of %s is ranked, counted and billed',
  async (name, { answer, tokens }) => {
    const { helix, upstream } = await start((response) => json(response, answer), { preset: name })
    const { body, headers } = await postJson(helix, '/rerank', { ...ask, top_n: 2, return_documents: true })
    expect(body).toMatchObject({
      results: [
        { index: 1, relevance_score: 0.75, document: { text: 'b' } },
        { index: 2, relevance_score: 0.5, document: { text: 'c' } },
      ],
      usage: { prompt_tokens: tokens },
    })
    expect(headers.get('x-helix-upstream')).toBe('hosted')
    expect(upstream.asked.at(-1)).toMatchObject({ url: '/v1/rerank', body: ask })
    const [row] = await readLedger(helix)
    expect(row).toMatchObject({ endpoint: 'rerank', settlement: { promptTokens: tokens, outcome: 'completed' } })
    expect(row?.settlement?.isEstimated ?? false).toBe(name === 'cohere')
  },
)

test('one query is scored by the rerank endpoint of an upstream that has no other', async () => {
  const { helix, upstream } = await start((response) => json(response, shapes.jina?.answer))
  const { body } = await postJson(helix, '/score', { model: 'ranker', text_1: 'q', text_2: documents })
  expect(body).toMatchObject({ data: scores.map((score, index) => ({ index, score })), usage: { prompt_tokens: 30 } })
  expect(upstream.asked.at(-1)).toMatchObject({ url: '/v1/rerank', body: ask })
  const several = await postJson(helix, '/score', { model: 'ranker', text_1: documents, text_2: documents })
  expect([several.status, several.body.error]).toEqual([
    400,
    expect.objectContaining({ code: 'unsupported_parameter', param: 'text_1' }),
  ])
})

test('vLLM scores pairs itself, and cuts them if asked to; others refuse that by name', async () => {
  const data = scores.map((score, index) => ({ index, object: 'score', score }))
  const answer: Answer = (response) => json(response, { data, usage: { prompt_tokens: 9, total_tokens: 9 } })
  const { helix, upstream } = await start(answer, { kind: 'vllm' })
  const pairs = { model: 'ranker', text_1: documents, text_2: documents }
  const { body } = await postJson(helix, '/score', { ...pairs, truncate_prompt_tokens: 5, use_activation: true })
  // They are between 0 and 1 already.
  expect(body).toMatchObject({ data: scores.map((score) => ({ score })) })
  expect(upstream.asked.at(-1)).toMatchObject({ url: '/v1/score', body: { ...pairs, truncate_prompt_tokens: 5 } })
  const other = await start(answer)
  for (const field of ['truncate_prompt_tokens', 'max_tokens_per_doc']) {
    const refused = await postJson(other.helix, '/rerank', { ...ask, [field]: 5 })
    expect(refused.body.error).toMatchObject({ code: 'unsupported_parameter', param: field })
  }
  expect(other.upstream.asked.filter(({ url }) => url.endsWith('/rerank'))).toEqual([])
})

test('the raw scores of llama-server are converted here', async () => {
  const raw = [{ index: 0, relevance_score: -2 }]
  const { helix } = await start((response) => json(response, { results: raw }), { kind: 'llama-server' })
  const { body } = await postJson(helix, '/rerank', { ...ask, documents: ['a'], use_activation: true })
  expect(body).toMatchObject({ results: [{ relevance_score: expect.closeTo(1 / (1 + Math.exp(2)), 6) }] })
})

test('an upstream that answers with no results, too few or no numbers has failed, and nothing is billed', async () => {
  const malformed = [
    {},
    { results: results.slice(1) },
    { results: results.map((one) => ({ ...one, relevance_score: 'high' })) },
  ]
  const left = [...malformed]
  const { helix } = await start((response) => json(response, left.shift()))
  for (const document of malformed) {
    const { status, body } = await postJson(helix, '/rerank', ask)
    expect([document, status, body.error?.code]).toEqual([document, 502, 'upstream_failed'])
  }
  for (const { settlement } of await readLedger(helix))
    expect(settlement).toMatchObject({ promptTokens: 0, outcome: 'failed' })
})

test('its test asks for a score', async () => {
  const { helix, upstream } = await start((response) => json(response, { results: [{ index: 0, relevance_score: 1 }] }))
  expect(await helix.control('POST', '/control/upstreams/hosted/test')).toMatchObject({ problem: null })
  expect(upstream.asked.at(-1)).toMatchObject({ url: '/v1/rerank', body: { query: 'OK' } })
})
