import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { openRedis } from '../../src/redis/open-redis.ts'
import { createRedisMessages } from '../../src/redis/redis-messages.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { type Cluster, hasCluster, startCluster } from '../harness/cluster.ts'
import { openEngineNode } from '../harness/open-engine-node.ts'
import { postEmbeddings } from '../harness/post-embeddings.ts'
import { embedderName, openScriptedEmbedder } from '../harness/scripted-embedder.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import type { Helix } from '../harness/start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** A server without models of its own. */
const startServer = (config: Partial<Config> = {}) =>
  startCluster({
    nodes: 1,
    config,
    each() {
      const upstreams = createUpstreamSet({ clock: systemClock, log: silent, kept: ['helix-v1'] })
      const models = scriptModels([], 'helix-v1')
      return { upstreams, openModels: (settings: Config) => models.open(settings, systemClock, upstreams) }
    },
  })

type EmbedderOptions = Parameters<typeof openScriptedEmbedder>[0]

const startEmbedder = async ({ databaseUrl: store }: Cluster, name: string, options: EmbedderOptions = {}) => {
  const engine = openScriptedEmbedder(options)
  const node = await openEngineNode({ store, name, engine, config: { shutdownGraceMs: 0 } })
  onTestFinished(node.close)
  return node
}
const joined = (helix: Helix, name: string) => helix.logged({ event: 'engine_node_joined', upstream: `engine:${name}` })

type Reply = { data?: { embedding: number[] }[]; usage?: { prompt_tokens: number }; error?: { code: string } }
const replyOf = async (response: Response): Promise<Reply> => (await response.json()) as Reply

describe.skipIf(!hasCluster)('an embedding model of an engine node', () => {
  test('embeds for a server, which bills what the node has counted', async () => {
    const cluster = await startServer()
    const helix = cluster.node(1)
    await startEmbedder(cluster, 'a')
    await joined(helix, 'a')
    const response = await postEmbeddings(helix, { input: ['two words', 'one'] })
    expect(response.headers.get('x-helix-upstream')).toBe('engine%3Aa')
    const requestId = response.headers.get('x-request-id') ?? ''
    expect(await replyOf(response)).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.5, 0.25, 0.125] },
        { object: 'embedding', index: 1, embedding: [1, 0.5, 0.25] },
      ],
      model: embedderName,
      usage: { prompt_tokens: 3, total_tokens: 3 },
    })
    expect(await cluster.outcome(requestId)).toBe('completed')
    expect(await helix.logged({ event: 'request', path: '/v1/embeddings' })).toMatchObject({
      promptTokens: 3,
      upstreams: 'engine:a',
    })
    const models = (await (await helix.get('/v1/models')).json()) as { data: { id: string; kind: string }[] }
    expect(models.data.find(({ id }) => id === embedderName)).toMatchObject({ kind: 'embedding' })
    expect(await helix.control('POST', '/control/upstreams/engine%3Aa/test')).toMatchObject({ problem: null })
    const chat = await helix.chat({ model: embedderName })
    expect((await replyOf(chat)).error).toMatchObject({ code: 'model_not_supported' })
    const ids = await replyOf(await postEmbeddings(helix, { input: [5, 6, 7] }))
    expect(ids.usage).toMatchObject({ prompt_tokens: 3 })
    const wide = await postEmbeddings(helix, { input: 'one', dimensions: 9 })
    expect((await replyOf(wide)).error).toMatchObject({ code: 'unsupported_value' })
  })

  test('counts against the limits: at most what the inputs can have is reserved, and the rest is released', async () => {
    const cluster = await startServer({ organisationTokensPerMinute: 40 })
    const helix = cluster.node(1)
    await startEmbedder(cluster, 'a')
    await joined(helix, 'a')
    // Two inputs of at most eight tokens each, which is the context of the model, are four in fact.
    const embed = () => postEmbeddings(helix, { input: ['two words which', 'one'] })
    const first = await embed()
    expect(first.status).toBe(200)
    expect(first.headers.get('x-ratelimit-remaining-tokens')).toBe('36')
    const statuses: number[] = []
    for (let sent = 0; sent < 8; sent += 1) statuses.push((await embed()).status)
    // 40 - 16 = 24 tokens may be used before one that reserves 16 is refused.
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
  })

  test('is replaced by that of another node if its node dies', async () => {
    const cluster = await startServer()
    const helix = cluster.node(1)
    const stuck = await startEmbedder(cluster, 'a', { beforeVector: () => new Promise(() => {}) })
    await joined(helix, 'a')
    const asked = postEmbeddings(helix, { input: 'two words' })
    await expect.poll(() => stuck.engine.active(), { timeout: 60_000 }).toBe(1)
    await startEmbedder(cluster, 'b')
    await joined(helix, 'b')
    await cluster.exec(`UPDATE nodes SET ended_at = seen_at WHERE name = 'a'`)
    const response = await asked
    expect(response.headers.get('x-helix-upstream')).toBe('engine%3Ab')
    expect((await replyOf(response)).data).toMatchObject([{ embedding: [0.5, 0.25, 0.125] }])
  })
})

describe.skipIf(!hasCluster)('an engine node that uses Redis', () => {
  test('says so when it joins and when it begins to stop', async () => {
    const cluster = await startServer()
    const { redisPrefix, redisUrl, databaseUrl: store } = cluster
    const redis = await openRedis({
      ...{ addresses: [redisUrl], prefix: redisPrefix, timeoutMs: 30_000, clock: systemClock, log: silent },
    })
    onTestFinished(() => redis.close())
    let announced = 0
    createRedisMessages(redis).subscribe('engines', () => {
      announced += 1
    })
    const node = await openEngineNode({
      ...{ store, name: 'a', config: { redis: redisUrl, redisPrefix, redisTimeoutMs: 30_000 } },
    })
    onTestFinished(node.close)
    await expect.poll(() => announced, { timeout: 60_000 }).toBe(1)
    await joined(cluster.node(1), 'a')
    await node.close()
    await expect.poll(() => announced, { timeout: 60_000 }).toBe(2)
  })
})
