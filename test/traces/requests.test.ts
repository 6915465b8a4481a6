import { expect, test } from 'vitest'
import { ApiError } from '../../src/base/api-error.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { type ReceivedSpan, startCollector } from '../harness/start-collector.ts'
import { type HelixOptions, openHelix } from '../harness/start-helix.ts'

const caller = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'vendor=1' }
const unsampled = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' }

/** A server that sends its traces to a collector; closing it sends what is left. */
const openTraced = async ({ config, ...options }: HelixOptions = {}) => {
  const collector = await startCollector()
  const traced = { tracesEndpoint: `${collector.url}/v1/traces`, tracesSampleRatio: 1, ...config }
  return { collector, helix: await openHelix({ ...options, config: traced }) }
}
const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name)
  if (found === undefined) throw new Error(`no ${name} among ${spans.map((span) => span.name).join(', ')}`)
  return found
}

test('one trace shows what a request went through, by the conventions', async () => {
  const { collector, helix } = await openTraced({
    config: { tracesResource: { 'deployment.environment.name': 'test' } },
  })
  const response = await helix.chat({ stream: true, temperature: 0.5 }, {})
  await response.text()
  const { traceId } = await helix.logged({ event: 'request', path: '/v1/chat/completions' })
  await helix.close()
  const spans = collector.spans()
  expect(collector.received[0]?.url).toBe('/v1/traces')
  expect(collector.resource()).toMatchObject({ 'service.name': 'helix', 'deployment.environment.name': 'test' })
  expect(spans.map(({ name }) => name)).toEqual([
    ...['POST /v1/chat/completions', 'chat helix-v1', 'render', 'admit', 'queue', 'prefill'],
  ])
  const [server, inference, ...phases] = spans
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
  expect(server).toMatchObject({
    kind: 2,
    attributes: {
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'helix.request.id': response.headers.get('x-request-id'),
    },
  })
  expect(server?.parentSpanId).toBeUndefined()
  expect(inference).toMatchObject({
    ...{ kind: 1, parentSpanId: server?.spanId, events: ['accepted', 'admitted', 'first_token', 'settled'] },
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'helix',
      'gen_ai.request.model': 'helix-v1',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.usage.output_tokens': 4,
      'helix.outcome': 'completed',
    },
  })
  for (const { parentSpanId } of phases) expect(parentSpanId).toBe(inference?.spanId)
  expect(JSON.stringify(collector.received)).not.toContain('world')
})

test('a request belongs to the trace of its caller', async () => {
  const { collector, helix } = await openTraced({ config: { tracesSampleRatio: 0 } })
  await (await helix.chat({}, { headers: { ...helix.authorized, ...caller } })).text()
  await (await helix.chat({}, { headers: { ...helix.authorized, ...unsampled } })).text()
  await (await helix.chat({}, { headers: { ...helix.authorized, traceparent: 'not one' } })).text()
  await helix.close()
  const servers = collector.spans().filter(({ kind }) => kind === 2)
  expect(servers).toMatchObject([
    { traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331', traceState: 'vendor=1' },
  ])
})

test('without trust in callers, a request begins a trace that refers to theirs', async () => {
  const { collector, helix } = await openTraced({ config: { tracesTrustCallers: false } })
  await (await helix.chat({}, { headers: { ...helix.authorized, ...caller } })).text()
  await helix.close()
  const server = named(collector.spans(), 'POST /v1/chat/completions')
  expect(server.traceId).not.toBe('0af7651916cd43dd8448eb211c80319c')
  expect(server.links).toEqual([{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }])
})

test('requests that fail or are slow are kept, whatever the ratio is; others and mistakes of callers are not', async () => {
  const clock = createManualClock()
  const { collector, helix } = await openTraced({
    clock,
    config: { tracesSampleRatio: 0, tracesSlowMs: 1_000 },
    *answer([message]) {
      if (message?.content === 'fail') return yield { fail: ApiError.of('engine_failed', {}) }
      if (message?.content === 'slow') clock.advance(1_000)
      yield 'x'
    },
  })
  const ask = async (content: string, more: object = {}) =>
    (await helix.chat({ messages: [{ role: 'user', content }], ...more })).text()
  await ask('quick')
  await ask('quick', { model: 'unknown' })
  await ask('fail')
  await ask('fail', { stream: true })
  await ask('slow')
  await helix.close()
  const kept = collector.spans().filter(({ kind }) => kind === 2)
  expect(kept.map(({ attributes, status }) => [attributes['error.type'], status?.code])).toEqual([
    ...[
      ['engine_failed', 2],
      ['engine_failed', 2],
    ],
    [undefined, undefined],
  ])
})

test('the text of prompts and answers is in traces only if that is asked for', async () => {
  const { collector, helix } = await openTraced({ config: { tracesContent: true } })
  await (await helix.chat({ messages: [{ role: 'user', content: 'my prompt' }], stream: true })).text()
  await helix.close()
  const { attributes } = named(collector.spans(), 'chat helix-v1')
  expect(JSON.parse(String(attributes['gen_ai.input.messages']))).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'my prompt' }] },
  ])
  expect(JSON.parse(String(attributes['gen_ai.output.messages']))).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: 'Hello, world!' }], finish_reason: 'stop' },
  ])
})

test('the trace of an answer that goes on after its client has left ends with the answer', async () => {
  const begun = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  const { collector, helix } = await openTraced({
    *answer() {
      yield 'a'
      begun.resolve()
      yield { pause: rest.promise }
      yield 'b'
    },
  })
  const leaving = new AbortController()
  const headers = { ...helix.authorized, 'idempotency-key': 'once' }
  const left = helix.chat({ stream: true }, { headers, signal: leaving.signal }).catch(() => {})
  await begun.promise
  leaving.abort()
  await left
  await helix.logged({ event: 'request', clientClosed: true })
  rest.resolve()
  await (await helix.chat({ stream: true }, { headers })).text()
  await helix.close()
  const inference = named(collector.spans(), 'chat helix-v1')
  expect(inference.attributes).toMatchObject({ 'helix.outcome': 'completed', 'gen_ai.usage.output_tokens': 2 })
})

test('without a collector nothing is recorded', async () => {
  const helix = await openHelix()
  await (await helix.chat({}, { headers: { ...helix.authorized, ...caller } })).text()
  expect(await helix.logged({ event: 'request', path: '/v1/chat/completions' })).not.toHaveProperty('traceId')
  await helix.close()
})
