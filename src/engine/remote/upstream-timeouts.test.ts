import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { pieceEvent, say, startUpstream } from '../../../test/harness/scripted-upstream.ts'
import type { AnswerOptions, EngineEvent } from '../contract.ts'
import { openRemoteEngine } from './remote-engine.ts'

/** Limits are kept to the millisecond, on a clock that moves only here. */
const silent = { info: () => {}, warn: () => {}, error: () => {} }
const never = new AbortController().signal

type Limits = { silenceLimitMs?: number; headLimitMs?: number; connectLimitMs?: number }
const asJson: AnswerOptions = { stream: false, calling: null, format: null, reasoningEffort: null }
const start = async (baseUrl: string, limits: Limits, answer?: AnswerOptions) => {
  const clock = createManualClock()
  const engine = openRemoteEngine({
    ...{ baseUrl, key: null, upstreamModel: 'theirs', name: 'ours', contextTokens: null, slots: 4, created: 1 },
    ...{ ...limits, clock, log: silent },
  })
  onTestFinished(engine.close)
  const prompt = await engine.prepare(talk('Hi', answer === undefined ? {} : { answer }), never)
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
const readAll = async (events: AsyncIterator<EngineEvent>): Promise<void> => {
  while ((await events.next()).done !== true);
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

test.each([
  ['comments of a stream', 'text/event-stream', ': still here\n\n'],
  ['blank lines before a document', 'application/json', '\r\n  '],
])('an answer has not begun with %s', async (_, type, filler) => {
  const { promise: answering, resolve } = Promise.withResolvers<ServerResponse>()
  const upstream = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': type })
    response.write(filler, () => resolve(response))
  })
  const { clock, events } = await start(upstream.baseUrl, { headLimitMs: 500, silenceLimitMs: 20_000 })
  const failure = expect(readAll(events)).rejects.toMatchObject(failed(/sent nothing for 500 ms/))
  const response = await answering
  clock.advance(400)
  await new Promise((written) => response.write(filler, written))
  clock.advance(100)
  await failure
})

test('comments in the middle of a stream do not start the limit again', async () => {
  const { promise: answering, resolve } = Promise.withResolvers<ServerResponse>()
  const upstream = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('one'))
    resolve(response)
  })
  // Longer than ten seconds: such limits are kept as exactly.
  const { clock, events } = await start(upstream.baseUrl, { silenceLimitMs: 60_000 })
  expect(await nextText(events)).toBe('one')
  const failure = expect(readAll(events)).rejects.toMatchObject(failed(/sent nothing for 60000 ms/))
  const response = await answering
  for (let second = 0; second < 59; second += 1) {
    clock.advance(1000)
    await new Promise((written) => response.write(': ping\n', written))
  }
  expect(clock.pending()).toBe(1)
  clock.advance(1000)
  await failure
})

test('a JSON answer must begin within its limit, and may not pause for longer than the other', async () => {
  const { promise: answering, resolve } = Promise.withResolvers<ServerResponse>()
  const slow = await startUpstream(() => {})
  const late = await start(slow.baseUrl, { headLimitMs: 500 }, asJson)
  const neverBegun = expect(late.events.next()).rejects.toMatchObject(failed(/sent nothing for 500 ms/))
  await late.clock.awaited(500)
  late.clock.advance(500)
  await neverBegun

  const upstream = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"choices":', () => resolve(response))
  })
  const { clock, events } = await start(upstream.baseUrl, { headLimitMs: 100, silenceLimitMs: 500 }, asJson)
  const paused = expect(events.next()).rejects.toMatchObject(failed(/sent nothing for 500 ms/))
  await answering
  await clock.awaited(500)
  clock.advance(500)
  await paused
})

test('no timer is left after an answer', async () => {
  const upstream = await startUpstream((response) => say(response, 'ok'))
  for (const limits of [{ silenceLimitMs: 500, connectLimitMs: 500 }, {}]) {
    const { clock, events } = await start(upstream.baseUrl, limits)
    expect(await nextText(events)).toBe('ok')
    await readAll(events)
    expect(clock.pending()).toBe(0)
  }
})
