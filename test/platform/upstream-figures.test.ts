import { expect, test } from 'vitest'
import type { UpstreamFiguresShown } from '../../src/platform/contract/upstreams.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { claimServer } from '../harness/browser-session.ts'
import { liveEvents } from '../harness/live-events.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { doneEvent, finishEvent, pieceEvent, sayJson, startUpstream, usageEvent } from '../harness/scripted-upstream.ts'
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
    const { costMicros } = only ?? {}
    const whole = { requests: 3, errors: 1, firstTokenMs: null, tokensPerSecond: null, costMicros }
    expect(only?.slots.at(-1)).toEqual(whole)
    expect(only).toMatchObject(whole)
    const none = { requests: 0, errors: 0, firstTokenMs: null, tokensPerSecond: null, costMicros: 0 }
    expect(only?.slots.slice(0, -1)).toEqual(Array.from({ length: count - 1 }, () => none))
  }
})

test('first tokens and speeds are those of streams, of each part of the period and of all of it', async () => {
  const clock = createManualClock()
  let goOn = (): void => {}
  const upstream = await startUpstream(async (response, { body }) => {
    if (body.model === undefined) return response.writeHead(200).end('{"data":[{"id":"small"}]}')
    if (body.stream !== true) {
      clock.advance(5_000)
      return sayJson(response, { content: 'one two three' })
    }
    clock.advance(300)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('one'))
    await new Promise<void>((resolve) => {
      goOn = resolve
    })
    clock.advance(2_000)
    response.end(pieceEvent(' two') + finishEvent() + usageEvent(7, 41) + doneEvent)
  })
  const upstreams = createUpstreamSet({ clock, log: silent })
  const local = scriptModels([{ id: 'helix-v1' }])
  const helix = await startHelix({ clock, upstreams, openModels: (config) => local.open(config, clock, upstreams) })
  const owner = await claimServer(helix)
  await helix.control('POST', '/control/upstreams', { name: 'gpu', url: upstream.baseUrl, models: [{ name: 'small' }] })
  const events = liveEvents(await helix.chat({ model: 'small', stream: true }))
  await events.until('one')
  goOn()
  await events.rest()
  clock.advance(3_600_000)
  expect((await helix.chat({ model: 'small' })).status).toBe(200)
  const read = async (): Promise<UpstreamFiguresShown['data'][number] | undefined> =>
    ((await (await owner.get('/admin/upstreams/figures')).json()) as UpstreamFiguresShown).data[0]
  while ((await read())?.requests !== 2) clock.advance(9_700)
  const shown = await read()
  const timed = { firstTokenMs: 300, tokensPerSecond: 20 }
  expect(shown).toMatchObject({ requests: 2, ...timed })
  expect(shown?.slots.filter(({ requests }) => requests > 0)).toMatchObject([
    { requests: 1, ...timed },
    { requests: 1, firstTokenMs: null, tokensPerSecond: null },
  ])
})
