import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { claimServer } from '../harness/browser-session.ts'
import { readMetrics } from '../harness/read-metrics.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { startHelix } from '../harness/start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

test('an upstream that refuses a request gets fewer at once: the Upstreams page and the metrics say how many', async () => {
  let isBusy = false
  const upstream = await startUpstream((response, { body }) => {
    if (body.model === undefined) return response.writeHead(404).end()
    return isBusy ? response.writeHead(429).end('{}') : sayJson(response, { content: 'Hello' })
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
    ...{ name: 'gpu', url: upstream.baseUrl, maxInFlight: 8, models: [{ name: 'small' }] },
  })
  const shown = async () => {
    const { data } = (await (await owner.get('/admin/upstreams')).json()) as { data: object[] }
    const metrics = await readMetrics(helix)
    return {
      page: data[0],
      most: metrics.get('helix_upstream_max_requests_in_flight{upstream="gpu"}'),
      learned: metrics.get('helix_upstream_learned_requests_in_flight{upstream="gpu"}'),
    }
  }
  expect((await helix.chat({ model: 'small' })).status).toBe(200)
  expect(await shown()).toMatchObject({ page: { name: 'gpu', maxInFlight: 8, limit: 8 }, most: 8, learned: 8 })
  isBusy = true
  expect((await helix.chat({ model: 'small' })).status).not.toBe(200)
  expect(await shown()).toMatchObject({ page: { name: 'gpu', maxInFlight: 8, limit: 4 }, most: 8, learned: 4 })
})
