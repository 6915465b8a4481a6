import { expect, test } from 'vitest'
import type { UpstreamFiguresShown } from '../../src/platform/contract/upstreams.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { claimServer } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { startHelix } from '../harness/start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

test('the owner sees what each upstream did with each model, with errors before the first token', async () => {
  let isBroken = false
  const upstream = await startUpstream((response, { body }) => {
    if (body.model === undefined) return response.writeHead(200).end('{"data":[{"id":"small"}]}')
    if (isBroken) return response.writeHead(500).end('{}')
    return sayJson(response, { content: 'one two three' })
  })
  const clock = createManualClock()
  const upstreams = createUpstreamSet({ clock, log: silent })
  const local = scriptModels([{ id: 'helix-v1' }])
  const helix = await startHelix({ clock, upstreams, openModels: (config) => local.open(config, clock, upstreams) })
  const owner = await claimServer(helix)
  const models = [{ name: 'small', price: { prompt: 1_000_000, completion: 1_000_000 } }]
  await helix.control('POST', '/control/upstreams', { name: 'gpu', url: upstream.baseUrl, models })
  const ask = async () => (await helix.chat({ model: 'small' })).status
  expect([await ask(), await ask()]).toEqual([200, 200])
  isBroken = true
  expect(await ask()).toBe(502)
  const read = async (period: string): Promise<UpstreamFiguresShown['data']> => {
    const response = await owner.get(`/admin/upstreams/figures?period=${period}`)
    return ((await response.json()) as UpstreamFiguresShown).data
  }
  // They are written some seconds later.
  while ((await read('day'))[0]?.requests !== 3) clock.advance(9_700)
  const slots = { day: 24, week: 28, month: 30 }
  for (const [period, count] of Object.entries(slots)) {
    const [only, ...others] = await read(period)
    expect(others).toEqual([])
    expect(only).toMatchObject({ upstream: 'gpu', model: 'small', requests: 3, errors: 1 })
    expect(only?.costMicros).toBeGreaterThan(0)
    expect(only?.completionTokens).toBeGreaterThan(0)
    expect(only?.slots).toHaveLength(count)
    expect(only?.slots.at(-1)).toEqual({ requests: 3, errors: 1 })
  }
})
