import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { ApiError } from '../../src/base/api-error.ts'
import { openScriptedEngine } from '../../src/engine/scripted.ts'
import { settledRows } from '../harness/ledger-rows.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const silenceMs = 10_000
const limits = { organisationRequestsPerMinute: 60, organisationTokensPerMinute: 40_000 }

/** A model that generates nothing until it is released. */
const startSilent = async (options: { fails?: boolean; slots?: number; config?: Record<string, number> } = {}) => {
  const clock = createManualClock()
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const helix = await startHelix({
    clock,
    engine: { slots: options.slots ?? 4 },
    config: { ...limits, ...options.config },
    *answer() {
      asked.resolve()
      yield { pause: go.promise }
      if (options.fails) yield { fail: ApiError.of('engine_failed', {}) }
      yield 'at last'
    },
  })
  return { helix, clock, asked: asked.promise, go: go.resolve }
}

const lastEvent = (text: string): unknown => JSON.parse(/data: (.*)\n\n$/.exec(text)?.[1] ?? '')

test.each([
  ['straight from the model', {}],
  ['of a recording', { 'idempotency-key': 'k' }],
])('a stream %s without a token for 10 seconds sends its headers and a ping', async (_, headers) => {
  const { helix, clock, asked, go } = await startSilent()
  const response = helix.chat({ stream: true }, { headers: { ...helix.authorized, ...headers } })
  await asked
  clock.advance(silenceMs)
  const { status, headers: head, body } = await response
  expect(status).toBe(200)
  expect(head.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(head.get('x-ratelimit-limit-requests')).toBe('60')
  expect(Number(head.get('x-ratelimit-remaining-tokens'))).toBeLessThan(40_000)
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (part: string) => {
    while (!text.endsWith(part)) text += (await reader?.read())?.value
  }
  await until(': ping\n\n')
  clock.advance(silenceMs)
  await until(': ping\n\n: ping\n\n')
  expect(text).toBe(': ping\n\n: ping\n\n')
  go()
  await until('data: [DONE]\n\n')
  expect(text).toContain('"at last"')
})

test('a ping is sent only if nothing else is', async () => {
  const { helix, clock, asked, go } = await startSilent()
  const response = helix.chat({ stream: true })
  await asked
  clock.advance(silenceMs - 1)
  go()
  expect(await (await response).text()).not.toContain('ping')
})

test('a failure after such headers is an error event; a JSON response keeps its status', async () => {
  const { helix, clock, asked, go } = await startSilent({ fails: true })
  const streamed = helix.chat({ stream: true })
  await asked
  clock.advance(silenceMs)
  const stream = await streamed
  const json = helix.chat({})
  go()
  const text = await stream.text()
  expect(lastEvent(text)).toMatchObject({ error: { code: 'engine_failed', type: 'server_error' } })
  expect(text).not.toContain('[DONE]')
  const failed = await json
  expect(failed.status).toBe(500)
  expect(await readError(failed)).toMatchObject({ code: 'engine_failed' })
  expect(await settledRows(helix, 2)).toMatchObject([
    { outcome: 'failed', error: 'engine_failed' },
    { outcome: 'failed', error: 'engine_failed' },
  ])
})

test('a stream that waits for a slot sends pings, and an error event if it waits too long', async () => {
  const { helix, clock, asked, go } = await startSilent({ slots: 1, config: { queueTimeoutMs: 25_000 } })
  const first = helix.chat({})
  await asked
  const second = helix.chat({ stream: true })
  await clock.awaited(25_000)
  clock.advance(silenceMs)
  const waiting = await second
  expect(waiting.status).toBe(200)
  expect(waiting.headers.get('x-ratelimit-limit-tokens')).toBe('40000')
  clock.advance(15_000)
  const text = await waiting.text()
  expect(text.startsWith(': ping\n\n: ping\n\n')).toBe(true)
  expect(lastEvent(text)).toMatchObject({ error: { code: 'queue_timeout' } })
  go()
  expect((await first).status).toBe(200)
})

test('a stream sends pings while its prompt is prepared, and a refusal then is logged as one', async () => {
  const clock = createManualClock()
  const engine = openScriptedEngine({ model: { id: modelName }, answer: () => ['x'] })
  const preparing = Promise.withResolvers<void>()
  const refuse = Promise.withResolvers<never>()
  const startEngine = () => ({
    ...engine,
    prepare() {
      preparing.resolve()
      return refuse.promise
    },
  })
  const helix = await startHelix({ clock, startEngine, config: limits })
  const asked = helix.chat({ stream: true })
  await preparing.promise
  clock.advance(silenceMs)
  const response = await asked
  expect(response.status).toBe(200)
  expect(response.headers.get('x-ratelimit-limit-requests')).toBe('60')
  refuse.reject(ApiError.of('engine_loading', {}))
  expect(lastEvent(await response.text())).toMatchObject({ error: { code: 'engine_loading' } })
  expect(await helix.logged({ event: 'request', error: 'engine_loading' })).toMatchObject({ status: 200 })
})

test('the official client ignores pings before the first token', async () => {
  const { helix, clock, asked, go } = await startSilent()
  const client = new OpenAI({ baseURL: helix.baseUrl, apiKey: helix.key, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const created = client.chat.completions.create({ model: modelName, messages, stream: true })
  await asked
  for (const _ of [1, 2, 3]) clock.advance(silenceMs)
  const stream = await created
  go()
  const pieces = await Array.fromAsync(stream, ({ choices }) => choices[0]?.delta.content ?? '')
  expect(pieces.join('')).toBe('at last')
})
