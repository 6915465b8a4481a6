import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { claimServer } from '../harness/browser-session.ts'
import { postEmbeddings } from '../harness/post-embeddings.ts'
import { readMetrics } from '../harness/read-metrics.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { say, sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { startHelix } from '../harness/start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** A server with one upstream, which refuses requests while it is busy. */
const startWithUpstream = async (maxInFlight: number) => {
  let isBusy = false
  const upstream = await startUpstream((response, { url, body }) => {
    if (body.model === undefined) return response.writeHead(200).end('{"data":[{"id":"small"}]}')
    if (isBusy) return response.writeHead(429).end('{}')
    if (url.endsWith('/embeddings')) {
      const data = [{ object: 'embedding', index: 0, embedding: [0.6, 0.8] }]
      return response.writeHead(200).end(JSON.stringify({ object: 'list', data, usage: { prompt_tokens: 1 } }))
    }
    return body.stream === true ? say(response, 'Hello') : sayJson(response, { content: 'Hello' })
  })
  const upstreams = createUpstreamSet({ clock: systemClock, log: silent })
  const local = scriptModels([{ id: 'helix-v1' }])
  const helix = await startHelix({
    upstreams,
    openModels: (config: Config) => local.open(config, systemClock, upstreams),
    config: { metricsPort: 0 },
  })
  const owner = await claimServer(helix)
  await helix.control('POST', '/control/upstreams', {
    ...{
      name: 'gpu',
      url: upstream.baseUrl,
      maxInFlight,
      models: [{ name: 'small' }, { name: 'embedder', kind: 'embedding' }],
    },
  })
  return {
    helix,
    setBusy(next: boolean) {
      isBusy = next
    },
    async shown() {
      const { data } = (await (await owner.get('/admin/upstreams')).json()) as { data: object[] }
      const metrics = await readMetrics(helix)
      return {
        page: data[0],
        most: metrics.get('helix_upstream_max_requests_in_flight{upstream="gpu"}'),
        learned: metrics.get('helix_upstream_learned_requests_in_flight{upstream="gpu"}'),
      }
    },
  }
}

test('an upstream that refuses a request gets fewer at once: the Upstreams page and the metrics say how many', async () => {
  const { helix, setBusy, shown } = await startWithUpstream(8)
  expect((await helix.chat({ model: 'small' })).status).toBe(200)
  expect(await shown()).toMatchObject({ page: { name: 'gpu', maxInFlight: 8, limit: 8 }, most: 8, learned: 8 })
  setBusy(true)
  expect((await helix.chat({ model: 'small' })).status).not.toBe(200)
  expect(await shown()).toMatchObject({ page: { name: 'gpu', maxInFlight: 8, limit: 4 }, most: 8, learned: 4 })
})

test('an upstream that answers a single caller again gets more at once, though one of its slots is kept for others', async () => {
  const { helix, setBusy, shown } = await startWithUpstream(4)
  setBusy(true)
  expect((await helix.chat({ model: 'small' })).status).not.toBe(200)
  expect(await shown()).toMatchObject({ learned: 2 })
  setBusy(false)
  expect(await helix.control('POST', '/control/upstreams/gpu/test')).toMatchObject({ problem: null })
  for (let answer = 0; answer < 3; answer += 1) expect((await helix.chat({ model: 'small' })).status).toBe(200)
  expect(await shown()).toMatchObject({ learned: 3 })
})

test.each([false, true])('an upstream that answers again gets more at once, with stream: %s', async (stream) => {
  const { helix, setBusy, shown } = await startWithUpstream(2)
  setBusy(true)
  expect((await helix.chat({ model: 'small', stream })).status).not.toBe(200)
  expect(await shown()).toMatchObject({ learned: 1 })
  setBusy(false)
  // It waits after a refusal, which a test ends.
  expect(await helix.control('POST', '/control/upstreams/gpu/test')).toMatchObject({ problem: null })
  const answer = await helix.chat({ model: 'small', stream })
  expect({ status: answer.status, text: await answer.text() }).toMatchObject({ status: 200 })
  expect(await shown()).toMatchObject({ most: 2, learned: 2 })
})

test('an upstream that returns vectors again gets more at once', async () => {
  const { helix, setBusy, shown } = await startWithUpstream(2)
  const embed = async () => (await postEmbeddings(helix, { model: 'embedder', input: 'one' })).status
  setBusy(true)
  expect(await embed()).not.toBe(200)
  expect(await shown()).toMatchObject({ learned: 1 })
  setBusy(false)
  expect(await helix.control('POST', '/control/upstreams/gpu/test')).toMatchObject({ problem: null })
  expect(await embed()).toBe(200)
  expect(await shown()).toMatchObject({ most: 2, learned: 2 })
})
