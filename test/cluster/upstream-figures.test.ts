import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Config } from '../../src/config/settings.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import type { Helix } from '../harness/start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const key = 'sk-upstream-0123456789'

const nodeOptions = () => {
  const upstreams = createUpstreamSet({ clock: systemClock, log: silent })
  const local = scriptModels([{ id: 'helix-v1' }])
  return { upstreams, openModels: (config: Config) => local.open(config, systemClock, upstreams) }
}
type Shown = Record<string, unknown>
const shown = async (node: Helix): Promise<Shown | undefined> =>
  ((await node.control('GET', '/control/upstreams')) as { data: Shown[] }).data[0]

/** Reads the list until it is as expected: heartbeats and messages take a moment. */
const until = async (node: Helix, isExpected: (upstream: Shown) => boolean): Promise<Shown> => {
  for (;;) {
    const upstream = await shown(node)
    if (upstream !== undefined && isExpected(upstream)) return upstream
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe.skipIf(!hasCluster)('the upstreams of a cluster', () => {
  test('every node shows the requests, errors and pauses of all, and a test at one ends the pause everywhere', async () => {
    let isKeyRefused = false
    const upstream = await startUpstream((response, { body }) => {
      if (isKeyRefused) return response.writeHead(401).end('{}')
      if (body.model !== undefined) return sayJson(response, { content: 'hello' })
      return response.writeHead(200).end('{"data":[{"id":"small"}]}')
    })
    const leaseTimes = { beatMs: 50, leaseMs: 30_000, jitter: 0 }
    const { node } = await startCluster({ nodes: 2, leaseTimes, each: nodeOptions })
    const models = [{ name: 'small' }]
    await node(1).control('POST', '/control/upstreams', {
      name: 'gpu',
      url: upstream.baseUrl,
      key,
      models,
      maxInFlight: 8,
    })
    await until(node(2), ({ name }) => name === 'gpu')
    const ask = async (number: number): Promise<number> =>
      (await node(number).chat({ model: 'small' }, { headers: node(1).authorized })).status
    expect([await ask(1), await ask(2), await ask(2)]).toEqual([200, 200, 200])
    for (const number of [1, 2])
      expect(
        await until(node(number), (upstream) => upstream.recent_requests === 3 && upstream.in_flight === 0),
      ).toMatchObject({ nodes: 2, max_in_flight: 8, recent_errors: 0, state: 'active' })
    isKeyRefused = true
    expect(await ask(2)).toBe(502)
    expect(await until(node(1), ({ state }) => state === 'paused')).toMatchObject({
      ...{ paused_nodes: 1, pause_reason: 'key_refused', recent_requests: 4, recent_errors: 1 },
    })
    isKeyRefused = false
    expect(await node(1).control('POST', '/control/upstreams/gpu/test')).toMatchObject({ problem: null })
    await until(node(2), ({ state }) => state === 'active')
    await until(node(1), ({ state }) => state === 'active')
  })
})
