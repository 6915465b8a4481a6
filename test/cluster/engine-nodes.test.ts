import { request } from 'node:https'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { openScriptedEngine, type Script } from '../../src/engine/scripted.ts'
import { createNodeIdentity } from '../../src/serve/create-node-identity.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { claimServer } from '../harness/browser-session.ts'
import { type Cluster, hasCluster, startCluster } from '../harness/cluster.ts'
import { openEngineNode, runEngineNode, wordByWord } from '../harness/open-engine-node.ts'
import { contentOf, readChunks } from '../harness/read-events.ts'
import { startScratchProcess } from '../harness/scratch-process.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import type { Helix } from '../harness/start-helix.ts'

const model = 'helix-v1'
const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** A server without a model of its own. */
const startServer = () =>
  startCluster({
    nodes: 1,
    each() {
      const upstreams = createUpstreamSet({ clock: systemClock, log: silent, kept: [model] })
      const models = scriptModels([], model)
      return { upstreams, openModels: (config: Config) => models.open(config, systemClock, upstreams) }
    },
  })

const startEngine = async (
  { databaseUrl: store }: Cluster,
  name: string,
  answer?: Script,
  config?: Partial<Config>,
) => {
  const engine = await openEngineNode({ store, name, ...(answer ? { answer } : {}), ...(config ? { config } : {}) })
  onTestFinished(engine.close)
  return engine
}
const joined = (helix: Helix, name: string) => helix.logged({ event: 'engine_node_joined', upstream: `engine:${name}` })
const left = (helix: Helix, name: string) => helix.logged({ event: 'engine_node_left', upstream: `engine:${name}` })

type ChatAnswer = { choices?: { message: { content: string } }[]; error?: { code: string }; usage?: object }
const answerOf = async (response: Response): Promise<ChatAnswer> => (await response.json()) as ChatAnswer
const textOf = async (response: Response): Promise<string | undefined> => {
  const { choices, error } = await answerOf(response)
  return choices?.[0]?.message.content ?? error?.code
}
const listed = async (helix: Helix) =>
  ((await helix.control('GET', '/control/upstreams')) as { data: Record<string, unknown>[] }).data

describe.skipIf(!hasCluster)('engine nodes', () => {
  test('answer for a server that has no model, and are listed as what they are', async () => {
    const cluster = await startServer()
    const helix = cluster.node(1)
    expect(await textOf(await helix.chat({}))).toBe('model_without_engine')
    expect((await helix.get('/readyz')).status).toBe(503)
    const scopes: string[] = []
    const owners: string[] = []
    const answer: Script = (_, __, { cacheScope, ownerId }) => {
      scopes.push(cacheScope)
      owners.push(ownerId)
      return ['Hello', '!']
    }
    const engines = [await startEngine(cluster, 'a', answer), await startEngine(cluster, 'b', answer)]
    await Promise.all([joined(helix, 'a'), joined(helix, 'b')])
    expect((await helix.get('/readyz')).status).toBe(200)
    const claimed = await (await claimServer(helix)).load()
    const response = await helix.chat({})
    expect(response.headers.get('x-helix-upstream')).toMatch(/^engine%3A[ab]$/)
    expect(response.headers.get('openai-organization')).toBe(scopes[0])
    // The organisations of one owner count as one there, too.
    expect(owners).toEqual([claimed.account?.id])
    const { choices, usage } = await answerOf(response)
    expect(choices?.[0]?.message.content).toBe('Hello!')
    expect(usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 2 })
    expect(await listed(helix)).toMatchObject([
      {
        name: 'engine:a',
        url: `${engines[0]?.url}/v1`,
        source: 'node',
        kind: 'helix',
        state: 'active',
        models: [model],
      },
      { name: 'engine:b', source: 'node', max_in_flight: 4 },
    ])
    expect(await helix.control('GET', '/control/nodes')).toMatchObject({
      data: [
        { name: 'a', kind: 'engine', models: [model] },
        { name: 'b', kind: 'engine' },
        { name: 'node-1', kind: 'server' },
      ],
    })
    expect(await helix.control('POST', '/control/upstreams/engine%3Aa/test')).toMatchObject({ problem: null, model })
    for (const act of ['drain', 'remove'])
      expect(await helix.control('POST', `/control/upstreams/engine%3Aa/${act}`)).toMatchObject({
        error: { code: 'upstream_is_node' },
      })
  })

  test('accept what a model of the server itself accepts', async () => {
    const cluster = await startServer()
    const helix = cluster.node(1)
    await startEngine(cluster, 'a', (_, { seed, minTokens, constraint, topLogprobs }) => [
      JSON.stringify({ seed, minTokens, isConstrained: constraint !== null, topLogprobs }),
    ])
    await joined(helix, 'a')
    const sampled = await textOf(await helix.chat({ seed: 7, min_tokens: 1, logprobs: true, top_logprobs: 2 }))
    expect(JSON.parse(sampled ?? '')).toEqual({ seed: 7, minTokens: 1, isConstrained: false, topLogprobs: 2 })
    const format = { type: 'json_schema', json_schema: { name: 'any', schema: { type: 'object' } } }
    for (const wanted of [{ response_format: format }, { guided_regex: '.*' }])
      expect(JSON.parse((await textOf(await helix.chat(wanted))) ?? '')).toMatchObject({ isConstrained: true })
    const several = await answerOf(await helix.chat({ n: 2, seed: 1 }))
    expect(several.choices?.map(({ message }) => JSON.parse(message.content).seed)).toEqual([1, 2])
    const completed = await fetch(`${helix.baseUrl}/completions`, {
      ...{ method: 'POST', headers: helix.authorized, body: JSON.stringify({ model, prompt: 'Once', max_tokens: 5 }) },
    })
    expect(completed.status).toBe(200)
  })

  test('an answer of a node that is killed is completed by another', async () => {
    const cluster = await startServer()
    const helix = cluster.node(1)
    const text = 'one two three four five six seven eight'
    const options = JSON.stringify({ store: cluster.databaseUrl, name: 'a', text, words: 3 })
    const module = join(import.meta.dirname, '../harness/open-engine-node.ts')
    const child = await startScratchProcess(`const { ${runEngineNode.name} } = await import(${JSON.stringify(module)})
      await ${runEngineNode.name}(${options})`)
    onTestFinished(child.kill)
    await joined(helix, 'a')
    const response = await helix.chat({ stream: true })
    await startEngine(cluster, 'b', wordByWord(text))
    await joined(helix, 'b')
    await child.kill()
    expect(contentOf(await readChunks(response))).toBe(text)
    expect(await helix.logged({ event: 'request', path: '/v1/chat/completions' })).toMatchObject({
      upstreams: 'engine:a,engine:b',
    })
  })

  test('a stream that a node has begun ends with an error if the only other node has other weights', async () => {
    const cluster = await startServer()
    const helix = cluster.node(1)
    const text = 'one two three four'
    const startWith = async (name: string, weightsId: string, answer: Script): Promise<void> => {
      const engine = openScriptedEngine({ model: { id: model, weightsId }, answer })
      const node = await openEngineNode({ store: cluster.databaseUrl, name, engine, config: { shutdownGraceMs: 0 } })
      onTestFinished(node.close)
      await joined(helix, name)
    }
    await startWith('a', 'before', wordByWord(text, { words: 2, until: new Promise(() => {}) }))
    const response = await helix.chat({ stream: true })
    await startWith('b', 'after', wordByWord(text))
    await cluster.exec(`UPDATE nodes SET ended_at = seen_at WHERE name = 'a'`)
    await left(helix, 'a')
    const events = await response.text()
    expect(events).toContain('upstream_failed')
    expect(events).not.toContain('four')
  })

  test('a node whose lease has run out is not used, and what runs there is completed by another', async () => {
    const cluster = await startServer()
    const helix = cluster.node(1)
    const text = 'one two three four'
    const stuck = wordByWord(text, { words: 2, until: new Promise(() => {}) })
    const engine = await startEngine(cluster, 'a', stuck, { shutdownGraceMs: 0 })
    await joined(helix, 'a')
    // A document, of which nothing has arrived: the connection is silent until the answer is complete.
    const asked = helix.chat({})
    await expect.poll(() => engine.engine.active()).toBe(1)
    await startEngine(cluster, 'b', wordByWord(text))
    await joined(helix, 'b')
    await cluster.exec(`UPDATE nodes SET ended_at = seen_at WHERE name = 'a'`)
    await left(helix, 'a')
    expect(await textOf(await asked)).toBe(text)
  })

  test('a node that is stopped completes what it has begun and gets nothing new', async () => {
    const cluster = await startServer()
    const helix = cluster.node(1)
    const { promise: until, resolve } = Promise.withResolvers<void>()
    const engine = await openEngineNode({
      ...{ store: cluster.databaseUrl, name: 'a', answer: wordByWord('one two three', { words: 1, until }) },
    })
    await joined(helix, 'a')
    const response = await helix.chat({ stream: true })
    const closed = engine.close()
    await expect.poll(async () => (await listed(helix))[0]?.state, { timeout: 60_000 }).toBe('draining')
    expect(await textOf(await helix.chat({}))).toBe('model_drained')
    resolve()
    expect(contentOf(await readChunks(response))).toBe('one two three')
    await closed
    await left(helix, 'a')
    expect(await listed(helix)).toEqual([])
  })
})

describe.skipIf(!hasCluster)('an engine node refuses', () => {
  type Shown = { cert?: string; key?: string }
  /** The status of a request with this certificate, or why there is none. */
  const ask = (url: string, shown: Shown): Promise<number | string> =>
    new Promise((resolve) => {
      const sent = request(`${url}/v1/models`, { ...shown, rejectUnauthorized: false, agent: false })
      sent.on('response', (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      sent.end()
    })
  const pairOf = ({ certPem: cert, keyPem: key }: ReturnType<typeof createNodeIdentity>) => ({ cert, key })
  const isRefused = (outcome: number | string): boolean => typeof outcome === 'string' || outcome === 503

  test('clients without a certificate, with an unknown one, with that of an engine and with that of a server that has ended', async () => {
    const cluster = await startServer()
    const engine = await startEngine(cluster, 'a')
    expect(isRefused(await ask(engine.url, {}))).toBe(true)
    expect(await engine.logged({ event: 'node_refused' })).toMatchObject({ reason: 'it has no certificate' })
    const identity = createNodeIdentity()
    const asIt = () => ask(engine.url, pairOf(identity))
    expect(isRefused(await asIt())).toBe(true)
    const register = (kind: string) =>
      cluster.exec(`INSERT INTO nodes (id, name, address, version, started_at, seen_at, status, certificate, engine)
        SELECT 'node_test', 'test', '', '1', started_at, seen_at, '{}', '${identity.certPem}', ${kind} FROM nodes LIMIT 1`)
    await register(`'{}'`)
    expect(isRefused(await asIt())).toBe(true)
    await cluster.exec(`DELETE FROM nodes WHERE id = 'node_test'`)
    await register('NULL')
    // What was read a moment ago counts for a fraction of a second.
    await expect.poll(asIt, { timeout: 60_000 }).toBe(200)
    await cluster.exec(`UPDATE nodes SET ended_at = seen_at WHERE id = 'node_test'`)
    await expect.poll(async () => isRefused(await asIt()), { timeout: 60_000 }).toBe(true)
    await cluster.exec(`UPDATE nodes SET ended_at = NULL, seen_at = seen_at - 60000 WHERE id = 'node_test'`)
    expect(isRefused(await asIt())).toBe(true)
  })

  test('nothing: a server that meets another certificate at the address sends nothing', async () => {
    const cluster = await startServer()
    const helix = cluster.node(1)
    const scopes: string[] = []
    await startEngine(cluster, 'a', (_, __, { cacheScope }) => {
      scopes.push(cacheScope)
      return ['Hello']
    })
    await joined(helix, 'a')
    // As if another machine had taken over the address.
    const { certPem } = createNodeIdentity()
    await cluster.exec(`UPDATE nodes SET id = 'node_other', name = 'b', certificate = '${certPem}' WHERE name = 'a'`)
    await joined(helix, 'b')
    expect(await textOf(await helix.chat({}))).toBe('upstream_failed')
    expect(scopes).toEqual([])
    expect(await helix.control('POST', '/control/upstreams/engine%3Ab/test')).toMatchObject({
      problem: expect.stringMatching(/certificate/),
    })
  })
})
