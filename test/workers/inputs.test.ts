import { expect, test } from 'vitest'
import { readUpstream } from '../../src/config/upstream-setting.ts'
import { postApart } from '../harness/ask-apart.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { startUpstream } from '../harness/scripted-upstream.ts'
import { startWithWorkers } from '../harness/start-with-workers.ts'
import { withoutPassingOn } from '../harness/without-passing-on.ts'

const embedded = {
  ...{ object: 'list', usage: { prompt_tokens: 5, total_tokens: 5 } },
  data: [{ object: 'embedding', index: 0, embedding: [0.6, 0.8] }],
}
const ranked = { usage: { total_tokens: 30 }, results: [{ index: 0, relevance_score: 0.5 }] }
const scored = { usage: { prompt_tokens: 30, total_tokens: 30 }, data: [{ index: 0, object: 'score', score: 0.5 }] }
const answers = [
  ['/embeddings', embedded],
  ['/rerank', ranked],
  ['/score', scored],
] as const

const startTwo = async () => {
  const upstream = await startUpstream((response, { url }) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answers.find(([path]) => url.endsWith(path))?.[1])),
  )
  const models = [
    { name: 'embedder', kind: 'embedding' },
    { name: 'ranker', kind: 'rerank' },
  ]
  const upstreams = [readUpstream({ name: 'one', url: upstream.baseUrl, preset: 'vllm', models }, 'one')]
  return { upstream, helix: await startWithWorkers(upstream.baseUrl, { upstreams }) }
}

const paths = ['/v1/embeddings', '/v1/rerank', '/v2/rerank', '/v1/score']
const bodies: Record<string, object> = {
  '/v1/embeddings': { model: 'embedder', input: 'Tides' },
  '/v1/rerank': { model: 'ranker', query: 'Tides?', documents: ['They rise.'] },
  '/v2/rerank': { model: 'ranker', query: 'Tides?', documents: ['They rise.'] },
  '/v1/score': { model: 'ranker', text_1: 'Tides?', text_2: 'They rise.' },
}

/** It has no effect here. */
const ignored = { 'idempotency-key': 'k' }

/** Each on a connection of its own, so that both workers get some. */
const askAll = (helix: { url: string; key: string }, path: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => postApart(helix, helix.key, path, bodies[path] ?? {}, ignored)))

test('workers embed and rank through upstreams, and each request is billed once', async () => {
  const { helix, upstream } = await startTwo()
  await withoutPassingOn(helix, async () => {
    for (const path of paths)
      for (const { status, text, headers } of await askAll(helix, path, 4)) {
        expect(status).toBe(200)
        expect(headers['x-helix-upstream']).toBe('one')
        expect(text).toContain(path === '/v1/embeddings' ? '0.6' : '0.5')
      }
    const wrong = await postApart(helix, helix.key, '/v1/embeddings', { model: 'ranker', input: 'Tides' })
    expect(wrong.status).toBe(400)
  })
  expect(upstream.asked).toHaveLength(16)
  const settled = (await readLedger(helix)).map(({ endpoint, settlement }) =>
    [endpoint, settlement?.outcome, settlement?.promptTokens].join(' '),
  )
  const count = (line: string): number => settled.filter((one) => one === line).length
  expect(count('embeddings completed 5')).toBe(4)
  expect(count('rerank completed 30')).toBe(8)
  expect(count('score completed 30')).toBe(4)
  expect(settled).toHaveLength(16)
})
