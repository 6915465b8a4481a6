import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { openEngineNode } from '../harness/open-engine-node.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { openScriptedReranker, postPairs, rerankerName } from '../harness/scripted-reranker.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

describe.skipIf(!hasCluster)('a reranker of an engine node', () => {
  test('scores for a server, which bills what the node has counted', async () => {
    const cluster = await startCluster({
      nodes: 1,
      each() {
        const upstreams = createUpstreamSet({ clock: systemClock, log: silent, kept: ['helix-v1'] })
        const models = scriptModels([], 'helix-v1')
        return { upstreams, openModels: (settings: Config) => models.open(settings, systemClock, upstreams) }
      },
    })
    const helix = cluster.node(1)
    const engine = openScriptedReranker()
    const node = await openEngineNode({ store: cluster.databaseUrl, name: 'a', engine, config: { shutdownGraceMs: 0 } })
    onTestFinished(node.close)
    await helix.logged({ event: 'engine_node_joined', upstream: 'engine:a' })
    const response = await postPairs(helix, 'rerank', { query: 'a', documents: ['b c', 'a'], max_tokens_per_doc: 5 })
    expect(response.headers.get('x-helix-upstream')).toBe('engine%3Aa')
    const requestId = response.headers.get('x-request-id') ?? ''
    expect(await response.json()).toMatchObject({
      results: [
        { index: 1, relevance_score: 0 },
        { index: 0, relevance_score: -1 },
      ],
      usage: { prompt_tokens: 5, total_tokens: 5 },
    })
    expect(engine.last()).toMatchObject({ maxDocumentTokens: 5, names: { queries: 'query' } })
    expect(await cluster.outcome(requestId)).toBe('completed')
    const scored = await postPairs(helix, 'score', { queries: ['a', 'b'], documents: ['a', 'a'] })
    expect(await scored.json()).toMatchObject({ data: [{ score: 0 }, { score: -1 }], usage: { prompt_tokens: 4 } })
    const models = (await (await helix.get('/v1/models')).json()) as { data: { id: string; kind: string }[] }
    expect(models.data.find(({ id }) => id === rerankerName)).toMatchObject({ kind: 'rerank' })
    expect(await helix.control('POST', '/control/upstreams/engine%3Aa/test')).toMatchObject({ problem: null })
    const chat = await helix.chat({ model: rerankerName })
    expect(await chat.json()).toMatchObject({ error: { code: 'model_not_supported' } })
  })
})
