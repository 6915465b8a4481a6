import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { openEmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { readModel } from '../../src/engine/model-folder.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { engineThreads } from '../harness/engine-threads.ts'
import { openEngineNode } from '../harness/open-engine-node.ts'
import { openTinyEngine } from '../harness/open-tiny-engine.ts'
import { postEmbeddings } from '../harness/post-embeddings.ts'
import { contentOf, readChunks } from '../harness/read-events.ts'
import { scriptModels } from '../harness/scripted-models.ts'

const model = 'helix-v1'
const modelPath = fileURLToPath(new URL('../../models/helix-v1', import.meta.url))
const workerPath = fileURLToPath(new URL('../../src/engine-process.ts', import.meta.url))
const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** A server without models, and an engine node with a real one. */
const startWith = async (engine: NonNullable<Parameters<typeof openEngineNode>[0]['engine']>) => {
  const cluster = await startCluster({
    nodes: 1,
    each() {
      const upstreams = createUpstreamSet({ clock: systemClock, log: silent, kept: [model] })
      const models = scriptModels([], model)
      return { upstreams, openModels: (config: Config) => models.open(config, systemClock, upstreams) }
    },
  })
  const node = await openEngineNode({ store: cluster.databaseUrl, name: 'a', engine })
  onTestFinished(node.close)
  const helix = cluster.node(1)
  await helix.logged({ event: 'engine_node_joined' })
  return helix
}

type Message = { content: string | null; tool_calls?: { function: { name: string; arguments: string } }[] }
type Completion = {
  choices: { message: Message; logprobs: { content: { logprob: number; top_logprobs: unknown[] }[] } | null }[]
  usage: { prompt_tokens: number; completion_tokens: number; prompt_tokens_details: { cached_tokens: number } }
}

describe.skipIf(!hasCluster)('a real model of an engine node', () => {
  test('answers with tools, schemas, log probabilities, several choices and cached tokens', async () => {
    const engine = openEmbeddedEngine({
      ...{ modelFiles: await readModel(modelPath), slots: 2, threads: engineThreads, clock: systemClock },
      ...{ log: silent, workerPath },
    })
    await engine.firstLoad
    const helix = await startWith(engine)
    const messages = [{ role: 'user', content: 'Name the capital of France, its river and its country.' }]
    const ask = async (options: Record<string, unknown>): Promise<Completion> => {
      const response = await helix.chat({ model, messages, temperature: 0, max_tokens: 48, ...options })
      expect(response.status).toBe(200)
      return (await response.json()) as Completion
    }
    const plain = await ask({ logprobs: true, top_logprobs: 2, max_tokens: 4 })
    const tokens = plain.choices[0]?.logprobs?.content ?? []
    expect(tokens).toHaveLength(plain.usage.completion_tokens)
    for (const { logprob, top_logprobs: top } of tokens) {
      expect(logprob).toBeLessThanOrEqual(0)
      expect(top).toHaveLength(2)
    }
    const [text] = plain.choices.map(({ message }) => message.content)
    // The same prompt is in the node's memory now.
    const again = await ask({ max_tokens: 4 })
    expect(again.choices[0]?.message.content).toBe(text)
    expect(again.usage.prompt_tokens).toBe(plain.usage.prompt_tokens)
    expect(again.usage.prompt_tokens_details.cached_tokens).toBeGreaterThan(0)
    const several = await ask({ n: 2, max_tokens: 4 })
    expect(several.choices.map(({ message }) => message.content)).toEqual([text, text])
    expect(several.usage.completion_tokens).toBe(2 * plain.usage.completion_tokens)
    const schema = { type: 'object', properties: { n: { enum: [1, 2] } }, required: ['n'], additionalProperties: false }
    const format = { type: 'json_schema', json_schema: { name: 'number', strict: true, schema } }
    const constrained = await ask({ response_format: format })
    expect([1, 2]).toContain(JSON.parse(constrained.choices[0]?.message.content ?? '').n)
    const tool = { type: 'function', function: { name: 'look_up', strict: true, parameters: schema } }
    const called = await ask({ tools: [tool], tool_choice: 'required', parallel_tool_calls: false })
    expect(called.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'look_up' } }])
    const [call] = called.choices[0]?.message.tool_calls ?? []
    expect([1, 2]).toContain(JSON.parse(call?.function.arguments ?? '').n)
    const stream = await helix.chat({ model, messages, temperature: 0, max_tokens: 4, stream: true })
    expect(contentOf(await readChunks(stream))).toBe(plain.choices[0]?.message.content)
  })

  test('embeds', async () => {
    const engine = await openTinyEngine('tiny-embedding')
    await engine.firstLoad
    const helix = await startWith(engine)
    const response = await postEmbeddings(helix, { model: engine.model.id, input: ['the river bank', 'the cat'] })
    const { data, usage } = (await response.json()) as { data: { embedding: number[] }[]; usage: object }
    for (const { embedding } of data) expect(Math.hypot(...embedding)).toBeCloseTo(1, 5)
    // Each with a token at its start and end.
    expect({ inputs: data.length, usage }).toEqual({ inputs: 2, usage: { prompt_tokens: 9, total_tokens: 9 } })
    const tooLong = await postEmbeddings(helix, { model: engine.model.id, input: 'cat '.repeat(300) })
    expect(tooLong.status).toBe(400)
    expect(await tooLong.json()).toMatchObject({
      error: { message: expect.stringContaining('maximum input length is 256 tokens') },
    })
  })
})
