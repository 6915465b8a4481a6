import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { openEngineNode } from '../harness/open-engine-node.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { startCollector } from '../harness/start-collector.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

describe.skipIf(!hasCluster)('traces of a cluster', () => {
  test('what an engine node does for a server belongs to the trace of the request', async () => {
    const collector = await startCollector()
    const traces = { tracesEndpoint: `${collector.url}/v1/traces`, tracesSampleRatio: 1 }
    const cluster = await startCluster({
      nodes: 1,
      each() {
        const upstreams = createUpstreamSet({ clock: systemClock, log: silent, kept: ['helix-v1'] })
        const models = scriptModels([], 'helix-v1')
        const openModels = (config: Config) => models.open(config, systemClock, upstreams)
        return { upstreams, openModels, config: traces }
      },
    })
    const helix = cluster.node(1)
    const engine = await openEngineNode({ store: cluster.databaseUrl, name: 'a', config: traces })
    onTestFinished(engine.close)
    await helix.logged({ event: 'engine_node_joined', upstream: 'engine:a' })
    expect((await helix.chat({})).status).toBe(200)
    await helix.server.close()
    await engine.close()
    const spans = collector.spans()
    const [call] = spans.filter(({ kind }) => kind === 3)
    const onNode = spans.find(({ parentSpanId }) => parentSpanId === call?.spanId)
    expect(call?.attributes).toMatchObject({ 'helix.upstream': 'engine:a' })
    expect(onNode).toMatchObject({ kind: 2, name: 'POST /v1/chat/completions', traceId: call?.traceId })
  })
})
