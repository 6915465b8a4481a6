import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { createLogCatcher } from '../../../test/harness/log-catcher.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import {
  deltaEvent,
  finishEvent,
  pieceEvent,
  say,
  sayJson,
  startUpstream,
} from '../../../test/harness/scripted-upstream.ts'
import type { ApiError } from '../../base/api-error.ts'
import { createSelfSigned } from '../../http/tls/self-signed.ts'
import type { AnswerOptions, EngineEvent } from '../contract.ts'
import { openRemoteEngine } from './remote-engine.ts'

const never = new AbortController().signal
const catcher = createLogCatcher({ clock: createManualClock(), format: 'json' })
const asJson: AnswerOptions = { stream: false, calling: null, format: null, reasoningEffort: null }

type Options = {
  key?: string
  silenceLimitMs?: number
  connectLimitMs?: number
  answer?: AnswerOptions
  maxTokens?: number
}
const open = (baseUrl: string, { key, silenceLimitMs, connectLimitMs }: Options = {}) => {
  const engine = openRemoteEngine({
    ...{ baseUrl, key: key ?? null, upstreamModel: 'theirs', name: 'ours', contextTokens: null, slots: 4, created: 1 },
    ...(silenceLimitMs === undefined ? {} : { silenceLimitMs }),
    ...(connectLimitMs === undefined ? {} : { connectLimitMs }),
    log: catcher.log,
  })
  onTestFinished(engine.close)
  return engine
}
const ask = async (
  engine: ReturnType<typeof open>,
  { answer, maxTokens = 10 }: Options = {},
): Promise<EngineEvent[]> => {
  const prompt = await engine.prepare(talk('Hi', answer === undefined ? {} : { answer }), never)
  return Array.fromAsync(prompt.generate({ ...openSampling, maxTokens }, never))
}
const failure = (baseUrl: string, options: Options = {}): Promise<ApiError> =>
  ask(open(baseUrl, options), options).then(
    () => expect.unreachable(),
    (error) => error,
  )
const failed = (cause: RegExp) => ({
  errorName: 'upstream_failed',
  options: { cause: expect.toSatisfy((value: unknown) => cause.test(String(value))) },
})

/** A server below HTTP. */
const startRaw = async (onSocket: (socket: Socket) => void): Promise<string> => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    onSocket(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

test('a redirect is not followed, so that the key goes nowhere else', async () => {
  const elsewhere = await startUpstream((response) => say(response, 'ok'))
  for (const status of [301, 302, 307, 308]) {
    const upstream = await startUpstream((response) =>
      response.writeHead(status, { location: `${elsewhere.baseUrl}/chat/completions` }).end(),
    )
    expect(await failure(upstream.baseUrl, { key: 'their-key' })).toMatchObject(failed(new RegExp(`status ${status}`)))
  }
  expect(elsewhere.asked).toEqual([])
})

test('an uncompressed answer is requested, and a compressed one refused', async () => {
  const upstream = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
    response.end(gzipSync(pieceEvent('a') + finishEvent()))
  })
  expect(await failure(upstream.baseUrl)).toMatchObject(failed(/compressed/))
  expect(upstream.asked[0]?.headers['accept-encoding']).toBe('identity')
})

test('an answer that says in capitals that it is not compressed is read', async () => {
  const upstream = await startUpstream((response) => {
    response.setHeader('content-encoding', 'Identity')
    sayJson(response, { content: 'a' })
  })
  expect(await ask(open(upstream.baseUrl), { answer: asJson })).toMatchObject([{}, { text: 'a' }, { type: 'end' }])
})

test.each([
  ['one line without an end', Buffer.alloc(1024 * 1024, 'data: a')],
  ['comments without an end', Buffer.from(': hi\n'.repeat(200_000))],
  ['chunks without text', Buffer.from(deltaEvent({ role: 'assistant' }).repeat(2000))],
])('an endless answer is broken off: %s', async (_, block) => {
  const upstream = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (): void => {
      while (!response.destroyed && response.write(block));
    }
    response.on('drain', write)
    write()
  })
  expect(await failure(upstream.baseUrl)).toMatchObject(failed(/more than \d+ bytes/))
})

test('a JSON answer without an end is broken off', async () => {
  const upstream = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const block = Buffer.alloc(1024 * 1024, ' ')
    const write = (): void => {
      while (!response.destroyed && response.write(block));
    }
    response.on('drain', write)
    write()
  })
  expect(await failure(upstream.baseUrl, { answer: asJson })).toMatchObject(failed(/more than \d+ bytes/))
})

test.each([
  ['before the head', () => {}],
  ['after the head', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n')],
])('an upstream that is silent is given up: %s', async (_, answer) => {
  const url = await startRaw((socket) => socket.once('data', () => answer(socket)))
  expect(await failure(url, { silenceLimitMs: 50 })).toMatchObject(failed(/sent nothing for 50 ms/))
})

test('a connection that is not established in time is given up', async () => {
  // It accepts the connection and never answers the TLS handshake.
  const url = await startRaw(() => {})
  const error = await failure(url.replace('http:', 'https:'), { connectLimitMs: 50, answer: asJson })
  expect(error).toMatchObject(failed(/did not accept a connection in 50 ms/))
})

test.each([
  ['a reset', (socket: Socket) => socket.resetAndDestroy()],
  ['an end without an answer', (socket: Socket) => socket.end()],
  ['what is not HTTP', (socket: Socket) => socket.end('hello\r\n\r\n')],
  ['half a head', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty')],
  ['a head that is too large', (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(100_000)}\r\n\r\n`)],
  [
    'half a chunk',
    (socket: Socket) =>
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\nff\r\ndata: ',
      ),
  ],
  [
    'half a JSON answer',
    (socket: Socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"choices":['),
  ],
])('a connection that fails is an upstream_failed: %s', async (_, answer) => {
  const url = await startRaw((socket) => socket.once('data', () => answer(socket)))
  expect(await failure(url)).toMatchObject({ errorName: 'upstream_failed', status: 502 })
})

test('neither a TLS error nor an unknown host is more than an upstream_failed', async () => {
  const upstream = await startUpstream((response) => say(response, 'ok'))
  expect(await failure(upstream.baseUrl.replace('http:', 'https:'))).toMatchObject(failed(/SSL|TLS|EPROTO/i))
  const { certPem: cert, keyPem } = createSelfSigned({ now: Date.now() })
  const untrusted = createHttpsServer({ cert, key: keyPem }, (_, response) => response.end()).listen(0, '127.0.0.1')
  await once(untrusted, 'listening')
  onTestFinished(() => void untrusted.close())
  const { port } = untrusted.address() as AddressInfo
  expect(await failure(`https://127.0.0.1:${port}/v1`, { key: 'their-key' })).toMatchObject(failed(/self-signed/))
  // A label of more than 63 characters is refused without asking a name server.
  expect(await failure(`http://${'a'.repeat(64)}.invalid/v1`)).toMatchObject(failed(/ENOTFOUND|EAI_/))
})

test.each([401, 403])('a key that is refused is reported to the operator, not to callers: %i', async (status) => {
  const before = catcher.lines.length
  const upstream = await startUpstream((response) => response.writeHead(status).end('{"error":"bad key their-key"}'))
  const error = await failure(upstream.baseUrl, { key: 'their-key' })
  expect(error.message).not.toMatch(/key/)
  const logged = catcher.lines.slice(before).join('')
  expect(logged).toContain('upstream_key_refused')
  expect(logged).not.toContain('their-key')
})

test.each([
  [{ error: { message: 'too hot' } }],
  [{ error: 'too hot' }],
  [{ message: 'too hot' }],
  [{ detail: 'too hot' }],
  [{ detail: [{ loc: ['body'], msg: 'too hot' }] }],
  [{ errors: [{ message: 'too hot' }] }],
  [[{ error: { message: 'too hot' } }]],
])('the reason of a refusal is found: %j', async (body) => {
  const upstream = await startUpstream((response) => response.writeHead(400).end(JSON.stringify(body)))
  const error = await failure(upstream.baseUrl)
  expect(error).toMatchObject({ errorName: 'upstream_refused' })
  expect(error.message).toContain('too hot')
})

test.each([null, 5, 'text', [], {}, { error: null }, { error: { message: 7 } }, { detail: {} }])(
  'a refusal without a reason names its status: %j',
  async (body) => {
    const upstream = await startUpstream((response) => response.writeHead(422).end(JSON.stringify(body)))
    expect((await failure(upstream.baseUrl)).message).toContain('status 422')
  },
)

const googleError = (retryDelay: unknown) => ({
  error: {
    ...{ code: 429, message: 'You exceeded your current quota.', status: 'RESOURCE_EXHAUSTED' },
    details: [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaMetric: 'requests' }] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
    ],
  },
})

test.each([
  ['34.074824224s', {}, 34_075, 34_075],
  ['37s', { 'retry-after': '5' }, 5_000, 5_000],
  // Nobody is asked to wait so long: another upstream may answer by then.
  ['900s', {}, 900_000, 2_000],
  ['-5s', {}, null, 2_000],
  ['soon', {}, null, 2_000],
  [{ seconds: 5 }, {}, null, 2_000],
  ['9999999999999s', {}, null, 2_000],
])('the time that Google asks to wait is kept: %j with %j', async (retryDelay, headers, pauseMs, retryAfterMs) => {
  for (const body of [googleError(retryDelay), [googleError(retryDelay)]]) {
    const upstream = await startUpstream((response) => response.writeHead(429, headers).end(JSON.stringify(body)))
    expect(await failure(upstream.baseUrl)).toMatchObject({
      errorName: 'upstream_busy',
      options: { retryAfterMs, cause: { retryAfterMs: pauseMs } },
    })
  }
})

test('a quota that is used up is said in a stream, too', async () => {
  const error = { message: 'You exceeded your current quota.', code: 'insufficient_quota' }
  const upstream = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify({ error })}\n\n`)
  })
  expect(await failure(upstream.baseUrl)).toMatchObject({
    ...{ errorName: 'upstream_failed', options: { cause: { isQuotaExceeded: true } } },
  })
})

test('an error in a 200 response is an error', async () => {
  const inside = (error: unknown) =>
    startUpstream((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ error })),
    )
  const answer = asJson
  expect(await failure((await inside({ message: 'boom' })).baseUrl, { answer })).toMatchObject(failed(/error/))
  expect(await failure((await inside({ message: 'no', code: 400 })).baseUrl, { answer })).toMatchObject({
    errorName: 'upstream_refused',
  })
  expect(await failure((await inside({ message: 'later', code: 429 })).baseUrl, { answer })).toMatchObject({
    errorName: 'upstream_busy',
  })
})

test.each(['', 'null', '[]', '{}', '{"choices":[]}', '{"choices":[{"message":{"content":"a"}}]}', '<html>'])(
  'a JSON answer that is none, or that has no finish_reason, is an upstream_failed: %s',
  async (body) => {
    const upstream = await startUpstream((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    )
    expect(await failure(upstream.baseUrl, { answer: asJson })).toMatchObject({ errorName: 'upstream_failed' })
  },
)

test('connections are used again, also after a stream has ended', async () => {
  const sockets = new Set<unknown>()
  const upstream = await startUpstream((response, { body }) => {
    sockets.add(response.socket)
    if (body.stream) say(response, 'a', 'b')
    else sayJson(response, { content: 'c' })
  })
  const engine = open(upstream.baseUrl)
  for (let round = 0; round < 3; round += 1) {
    await ask(engine)
    await ask(engine, { answer: asJson })
  }
  // One, unless the end of a stream arrives after the next request has begun.
  expect(sockets.size).toBeLessThan(6)
})

test('a connection that the upstream closed while it was idle is replaced without anybody noticing', async () => {
  let connections = 0
  const body = JSON.stringify({ choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] })
  const url = await startRaw((socket) => {
    connections += 1
    let requests = 0
    socket.on('data', (bytes) => {
      if (!bytes.toString().startsWith('POST')) return
      requests += 1
      // The second request on a connection comes too late.
      if (requests === 2) return socket.resetAndDestroy()
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    })
  })
  const engine = open(url)
  for (let round = 0; round < 3; round += 1)
    expect(await ask(engine, { answer: asJson })).toMatchObject([{ type: 'accepted' }, { text: 'a' }, { type: 'end' }])
  expect(connections).toBeGreaterThan(1)
})

test.each([
  ['closes the connection after each answer', 'HTTP/1.1 200 OK\r\nconnection: close\r\n', ''],
  ['closes it without saying so', 'HTTP/1.1 200 OK\r\n', ''],
  [
    'announces its answer',
    'HTTP/1.1 200 OK\r\nconnection: close\r\n',
    'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
  ],
])('an upstream that %s is asked again and again', async (_, head, announcement) => {
  let connections = 0
  const body = JSON.stringify({ choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] })
  const url = await startRaw((socket) => {
    connections += 1
    socket.once('data', () =>
      socket.end(
        `${announcement}${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      ),
    )
  })
  const engine = open(url)
  for (let round = 0; round < 4; round += 1)
    expect(await ask(engine, { answer: asJson })).toMatchObject([{ type: 'accepted' }, { text: 'a' }, { type: 'end' }])
  expect(connections).toBe(4)
})

test('a header that occurs twice does not hide what the answer is', async () => {
  const body = JSON.stringify({ choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] })
  const type = 'content-type: application/json\r\n'
  const url = await startRaw((socket) =>
    socket.once('data', () =>
      socket.end(`HTTP/1.1 200 OK\r\n${type}${type}content-length: ${body.length}\r\n\r\n${body}`),
    ),
  )
  expect(await ask(open(url))).toMatchObject([{ type: 'accepted' }, { text: 'a' }, { type: 'end' }])
})

test('closing the engine closes its connections, also one that is in use', async () => {
  const closed: Promise<unknown>[] = []
  const url = await startRaw((socket) => {
    closed.push(once(socket, 'close'))
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'
    socket.once('data', () => socket.write(head + deltaEvent({ role: 'assistant' })))
  })
  const engine = open(url)
  const prompt = await engine.prepare(talk('Hi'), never)
  const events = prompt.generate({ ...openSampling, maxTokens: 10 }, never)[Symbol.asyncIterator]()
  expect(await events.next()).toMatchObject({ value: { type: 'accepted' } })
  const next = events.next()
  await engine.close()
  await expect(next).rejects.toMatchObject({ errorName: 'upstream_failed' })
  await Promise.all(closed)
  expect(closed).toHaveLength(1)
})
