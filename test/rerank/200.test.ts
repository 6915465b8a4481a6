import { beforeAll, expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { openScriptedReranker, postPairs, rerankerName } from '../harness/scripted-reranker.ts'
import { type Helix, openHelix, startHelix } from '../harness/start-helix.ts'

const engine = openScriptedReranker()
const clock = createManualClock()
let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ clock, startEngine: () => engine })
  return helix.close
})
const post = async (path: 'rerank' | 'score', body: Record<string, unknown>) => {
  const response = await postPairs(helix, path, body)
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, unknown>
}
const query = 'a b'
const documents = ['x', 'b', 'a b', { text: 'b y' }]

test('documents are sorted by relevance, with usage as Jina and as Cohere report it', async () => {
  expect(await post('rerank', { query, documents })).toEqual({
    id: expect.any(String),
    object: 'list',
    model: rerankerName,
    results: [
      { index: 2, relevance_score: 1 },
      { index: 1, relevance_score: 0 },
      { index: 3, relevance_score: 0 },
      { index: 0, relevance_score: -1 },
    ],
    usage: { prompt_tokens: 14, total_tokens: 14 },
    meta: { tokens: { input_tokens: 14 } },
  })
})

test('only the best, with their texts, and scores between 0 and 1', async () => {
  const { results } = await post('rerank', {
    ...{ query: { text: query }, documents, top_n: 2, return_documents: true, use_activation: true },
  })
  expect(results).toEqual([
    { index: 2, relevance_score: 0.731058579, document: { text: 'a b' } },
    { index: 1, relevance_score: 0.5, document: { text: 'b' } },
  ])
  expect((await post('rerank', { query, documents, top_n: 99 })).results).toHaveLength(4)
  expect((await post('rerank', { query, documents, top_n: 0, return_documents: null })).results).toHaveLength(4)
})

test('how documents are cut is passed to the model', async () => {
  await post('rerank', { query, documents: ['a'], truncate_prompt_tokens: -1, max_tokens_per_doc: 7 })
  expect(engine.last()).toMatchObject({ maxPairTokens: -1, maxDocumentTokens: 7 })
  await post('score', { text_1: 'a', text_2: 'a', truncate_prompt_tokens: 6 })
  expect(engine.last()).toMatchObject({ maxPairTokens: 6, maxDocumentTokens: null })
})

test('pairs are scored in their order', async () => {
  expect(await post('score', { text_1: 'a b', text_2: ['x', 'a b'] })).toEqual({
    id: expect.any(String),
    object: 'list',
    created: Math.floor(clock.now() / 1000),
    model: rerankerName,
    data: [
      { index: 0, object: 'score', score: -1 },
      { index: 1, object: 'score', score: 1 },
    ],
    usage: { prompt_tokens: 7, total_tokens: 7 },
  })
})

test.each([
  ['two texts', { text_1: 'a', text_2: 'a' }, [0]],
  ['a list for a list', { text_1: ['a', 'x'], text_2: ['a', 'a'] }, [0, -1]],
  ['a list of one for a list', { text_1: ['a'], text_2: ['a', 'b'] }, [0, -1]],
  ['the other names', { queries: 'a', documents: [{ text: 'a' }] }, [0]],
])('%s', async (_, body, scores) => {
  const { data } = await post('score', body)
  expect(data).toEqual(scores.map((score, index) => ({ index, object: 'score', score })))
})

test("the path of Cohere's second version is the same endpoint", async () => {
  const body = JSON.stringify({ model: rerankerName, query, documents: ['a'] })
  const url = helix.baseUrl.replace(/\/v1$/, '/v2/rerank')
  const response = await fetch(url, { method: 'POST', headers: helix.authorized, body })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ results: [{ index: 0, relevance_score: 0 }] })
  expect((await fetch(url, { method: 'POST', body })).status).toBe(401)
})

test('a request is in the ledger with its prompt tokens, under its endpoint', async () => {
  const own = await startHelix({ startEngine: openScriptedReranker })
  await (await postPairs(own, 'rerank', { query, documents })).text()
  await (await postPairs(own, 'score', { text_1: 'a', text_2: 'a' })).text()
  const rows = await readLedger(own)
  const shown = rows.map(({ endpoint, settlement }) => [endpoint, settlement?.promptTokens])
  expect(shown.sort()).toEqual([
    ['rerank', 14],
    ['score', 2],
  ])
  expect(rows.map(({ settlement }) => settlement?.completionTokens)).toEqual([0, 0])
})

test('the list of models says what the model is for', async () => {
  const response = await fetch(`${helix.baseUrl}/models/${rerankerName}`, { headers: helix.authorized })
  expect(await response.json()).toMatchObject({
    kind: 'rerank',
    capabilities: ['rerank'],
    endpoints: ['/v1/rerank', '/v1/score'],
  })
})
