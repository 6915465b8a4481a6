import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Upstream } from '../../src/upstreams/contract.ts'
import { defaultUpstream, defaultUpstreamModel } from '../../src/upstreams/default-upstream.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { readEvents } from '../harness/read-events.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import {
  doneEvent,
  finishEvent,
  pieceEvent,
  say,
  sayJson,
  startUpstream,
  usageEvent,
} from '../harness/scripted-upstream.ts'
import { startHelix } from '../harness/start-helix.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }

const start = async () => {
  const set = createUpstreamSet({ clock: systemClock, log: silent })
  const local = scriptModels([{ id: 'helix-v1', answer: () => ['local'] }])
  const helix = await startHelix({ openModels: (config) => local.open(config, systemClock, set) })
  const served = async (): Promise<string[]> => {
    const { data } = (await (await helix.get('/v1/models')).json()) as { data: { id: string }[] }
    return data.map(({ id }) => id)
  }
  const ask = async (model: string): Promise<unknown> => {
    const response = await helix.chat({ model })
    const body = (await response.json()) as { choices?: { message: { content: string } }[]; error?: { code: string } }
    return body.choices?.[0]?.message.content ?? body.error?.code
  }
  return { set, helix, served, ask }
}

const upstream = (name: string, baseUrl: string, models: string[], more: Partial<Upstream> = {}): Upstream => ({
  ...{ ...defaultUpstream, name, baseUrl },
  models: models.map((model) => ({ ...defaultUpstreamModel, name: model, upstreamName: model })),
  ...more,
})

test('a stream goes on while its upstream is drained and removed; new requests go elsewhere at once', async () => {
  const { promise: begun, resolve: onBegun } = Promise.withResolvers<ServerResponse>()
  const one = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('begun'))
    onBegun(response)
  })
  const other = await startUpstream((response) => say(response, 'other'))
  const { set, helix, served, ask } = await start()
  const [first, second] = [upstream('one', one.baseUrl, ['big']), upstream('two', other.baseUrl, ['big'])]
  set.replace([first])
  const stream = await helix.chat({ model: 'big', stream: true })
  const upstreamResponse = await begun

  set.replace([{ ...first, isDraining: true }])
  expect(await ask('big')).toBe('model_drained')
  set.replace([{ ...first, isDraining: true }, second])
  expect(await ask('big')).toBe('other')
  set.replace([second])
  expect(await ask('big')).toBe('other')
  set.replace([])
  expect(await served()).toEqual(['helix-v1'])
  expect(await ask('big')).toBe('model_not_found')

  upstreamResponse.end(pieceEvent(' and done') + finishEvent() + usageEvent(5, 2) + doneEvent)
  const events = await readEvents(stream)
  const text = events.map((event) => JSON.stringify(event)).join('')
  expect(text).toContain('begun')
  expect(text).toContain(' and done')
  expect(text).not.toContain('"error"')
})

test('one list of models; an upstream cannot take a name of this machine', async () => {
  const { baseUrl } = await startUpstream((response) => say(response, 'remote'))
  const { set, served, ask } = await start()
  const aliased = { ...defaultUpstreamModel, name: 'big', upstreamName: 'b', aliases: ['gpt', 'helix-v1'] }
  set.replace([
    upstream('one', baseUrl, ['helix-v1', 'small']),
    upstream('two', baseUrl, [], { models: [aliased] }),
    upstream('three', baseUrl, ['small']),
  ])
  expect(await served()).toEqual(['helix-v1', 'small', 'big'])
  expect(await ask('helix-v1')).toBe('local')
  expect(await ask('gpt')).toBe('remote')
})

test('a request goes to the upstreams that accept all of it, and is refused by name only if none does', async () => {
  const [plain, rich] = [
    await startUpstream((response) => sayJson(response, { content: 'plain' })),
    await startUpstream((response) => sayJson(response, { content: 'rich' })),
  ]
  const { set, helix } = await start()
  // Alone, the first of them would be chosen for its weight.
  const weighty = [{ ...defaultUpstreamModel, name: 'big', upstreamName: 'big', weight: 100 }]
  const first = upstream('plain', plain.baseUrl, [], { fields: ['seed'], models: weighty })
  const second = upstream('rich', rich.baseUrl, ['big'], { fields: ['tools', 'logprobs'] })
  set.replace([first, second])
  const ask = async (body: object): Promise<unknown> => {
    const response = await helix.chat({ model: 'big', ...body })
    const answer = (await response.json()) as { error?: { code: string; param: string } }
    return response.headers.get('x-helix-upstream') ?? [answer.error?.code, answer.error?.param]
  }
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
  for (let index = 0; index < 5; index += 1) expect(await ask({ tools })).toBe('rich')
  expect(await ask({ seed: 7 })).toBe('plain')
  expect(await ask({ logit_bias: { 1: 1 } })).toEqual(['unsupported_parameter', 'logit_bias'])
  expect(await ask({ tools, seed: 7 })).toEqual(['unsupported_parameter', 'tools'])
  const { data } = (await (await helix.get('/v1/models')).json()) as { data: { id: string; capabilities: string[] }[] }
  expect(data.find(({ id }) => id === 'big')?.capabilities).toEqual(['logprobs', 'tools'])
  set.replace([first, { ...second, isDraining: true }])
  expect(await ask({ tools })).toEqual(['unsupported_parameter', 'tools'])
})
