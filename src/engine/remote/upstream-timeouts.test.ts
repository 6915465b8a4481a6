import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { finishEvent, pieceEvent, say, startUpstream } from '../../../test/harness/scripted-upstream.ts'
import type { EngineEvent } from '../contract.ts'
import { openRemoteEngine } from './remote-engine.ts'

/** Short limits are kept to the millisecond, on a clock that moves only here. */
const silent = { info: () => {}, warn: () => {}, error: () => {} }
const never = new AbortController().signal

type Limits = { silenceLimitMs?: number; headLimitMs?: number; connectLimitMs?: number }
const start = async (baseUrl: string, limits: Limits) => {
  const clock = createManualClock()
  const engine = openRemoteEngine({
    ...{ baseUrl, key: null, upstreamModel: 'theirs', name: 'ours', contextTokens: null, slots: 4, created: 1 },
    ...{ ...limits, clock, log: silent },
  })
  onTestFinished(engine.close)
  const prompt = await engine.prepare(talk('Hi'), never)
  return { clock, events: prompt.generate(openSampling, never)[Symbol.asyncIterator]() }
}
const failed = (cause: RegExp) => ({
  errorName: 'upstream_failed',
  options: { cause: expect.toSatisfy((value: unknown) => cause.test(String(value))) },
})
const startRaw = async (onSocket: (socket: Socket) => void): Promise<string> => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    onSocket(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
const nextText = async (events: AsyncIterator<EngineEvent>): Promise<string> => {
  for (;;) {
    const { value, done } = await events.next()
    if (done === true) throw new Error('the answer has ended')
    if (value.type === 'text') return value.text
  }
}

test('an answer must begin within its limit, not a millisecond later', async () => {
  const url = await startRaw((socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-ty')))
  const { clock, events } = await start(url, { headLimitMs: 500 })
  const failure = expect(events.next()).rejects.toMatchObject(failed(/sent nothing for 500 ms/))
  await clock.awaited(500)
  clock.advance(499)
  expect(clock.pending()).toBe(1)
  clock.advance(1)
  await failure
})

test('each part of an answer starts the limit again', async () => {
  const { promise: answering, resolve } = Promise.withResolvers<ServerResponse>()
  const upstream = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('one'))
    resolve(response)
  })
  const { clock, events } = await start(upstream.baseUrl, { silenceLimitMs: 500 })
  expect(await nextText(events)).toBe('one')
  clock.advance(400)
  const response = await answering
  response.write(pieceEvent('two'))
  expect(await nextText(events)).toBe('two')
  const failure = expect(events.next()).rejects.toMatchObject(failed(/sent nothing for 500 ms/))
  clock.advance(400)
  await clock.awaited(100)
  clock.advance(99)
  expect(clock.pending()).toBe(1)
  clock.advance(1)
  await failure
})

test('a connection must be established within its limit', async () => {
  // It accepts the connection and never answers the TLS handshake.
  const url = await startRaw(() => {})
  const { clock, events } = await start(url.replace('http:', 'https:'), { connectLimitMs: 500 })
  const failure = expect(events.next()).rejects.toMatchObject(failed(/did not accept a connection in 500 ms/))
  await clock.awaited(500)
  clock.advance(500)
  await failure
})

test('no timer is left after an answer, and none is started for long limits', async () => {
  const upstream = await startUpstream((response) => say(response, 'ok'))
  const short = await start(upstream.baseUrl, { silenceLimitMs: 500, connectLimitMs: 500 })
  expect(await nextText(short.events)).toBe('ok')
  while ((await short.events.next()).done !== true);
  expect(short.clock.pending()).toBe(0)

  const { promise: answering, resolve } = Promise.withResolvers<ServerResponse>()
  const slow = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('one'))
    resolve(response)
  })
  const long = await start(slow.baseUrl, {})
  expect(await nextText(long.events)).toBe('one')
  expect(long.clock.pending()).toBe(0)
  const response = await answering
  response.end(finishEvent())
  while ((await long.events.next()).done !== true);
})
