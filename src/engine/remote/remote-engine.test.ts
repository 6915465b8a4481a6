import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { createLogCatcher } from '../../../test/harness/log-catcher.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import {
  doneEvent,
  finishEvent,
  pieceEvent,
  say,
  startUpstream,
  usageEvent,
} from '../../../test/harness/scripted-upstream.ts'
import type { ApiError } from '../../base/api-error.ts'
import type { EngineEvent } from '../contract.ts'
import { openRemoteEngine } from './remote-engine.ts'
import { upstreamDialects, upstreamFeatures } from './upstream-kinds.ts'

const never = new AbortController().signal
const messages = [{ role: 'user' as const, content: 'Hi' }]

const catcher = createLogCatcher({ clock: createManualClock(), format: 'json' })

const engineAt = (baseUrl: string, more: { key?: string; contextTokens?: number } = {}) =>
  openRemoteEngine({
    baseUrl,
    key: more.key ?? null,
    upstreamModel: 'their-model',
    name: 'our-model',
    contextTokens: more.contextTokens ?? null,
    slots: 4,
    created: 1,
    log: catcher.log,
  })
const ask = async (baseUrl: string, signal = never, sampling = openSampling): Promise<EngineEvent[]> => {
  const prompt = await engineAt(baseUrl).prepare(talk(messages), signal)
  return Array.fromAsync(prompt.generate(sampling, signal))
}
const joinText = (events: EngineEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('')

/** An upstream that streams exactly these bytes. */
const streaming = (...writes: (string | Uint8Array)[]) =>
  startUpstream(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const bytes of writes) await new Promise((written) => response.write(bytes, written))
    response.end()
  })
const refusing = (status: number, body: string, headers: Record<string, string> = {}) =>
  startUpstream((response) => response.writeHead(status, headers).end(body))
const failure = async (asked: Promise<unknown>): Promise<ApiError> =>
  asked.then(
    () => expect.unreachable(),
    (error) => error,
  )

test('the request carries what was set, asks for the counts, and leaves the rest out', async () => {
  const upstream = await startUpstream((response) => say(response, 'ok'))
  const engine = engineAt(upstream.baseUrl, { key: 'their-key' })
  const prompt = await engine.prepare(talk(messages), never)
  const requested = { maxTokens: 5, temperature: 0, topP: 0.5, seed: 9, stops: ['END'], topK: 0, minP: 0.1 }
  const penalties = { repetitionPenalty: 1.2, frequencyPenalty: 0.5, presencePenalty: -0.5 }
  await Array.fromAsync(prompt.generate({ ...openSampling, ...requested, ...penalties }, never))
  await ask(upstream.baseUrl)
  const common = { model: 'their-model', messages, stream: true, stream_options: { include_usage: true } }
  expect(upstream.asked.map(({ body }) => body)).toEqual([
    {
      ...common,
      ...{ max_tokens: 5, temperature: 0, top_p: 0.5, seed: 9, stop: ['END'], top_k: 0, min_p: 0.1 },
      ...{ repetition_penalty: 1.2, frequency_penalty: 0.5, presence_penalty: -0.5 },
    },
    common,
  ])
  expect(upstream.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer their-key', undefined])
})

test('a long conversation, which is written in several turns, arrives whole and in order', async () => {
  const upstream = await startUpstream((response) => say(response, 'ok'))
  const long = Array.from({ length: 300 }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `${index} "猫"\n`.repeat(200),
  }))
  const prompt = await engineAt(upstream.baseUrl).prepare(talk(long), never)
  const events = await Array.fromAsync(prompt.generate({ ...openSampling, maxTokens: 5 }, never))
  expect(joinText(events)).toBe('ok')
  expect(upstream.asked[0]?.body).toEqual({
    ...{ model: 'their-model', messages: long, max_tokens: 5 },
    ...{ stream: true, stream_options: { include_usage: true } },
  })
})

test('a client that leaves while a long conversation is written is not answered', async () => {
  const upstream = await startUpstream((response) => say(response, 'ok'))
  const long = Array.from({ length: 300 }, () => ({ role: 'user' as const, content: 'word '.repeat(200) }))
  const aborting = new AbortController()
  const prompt = await engineAt(upstream.baseUrl).prepare(talk(long), never)
  const answer = prompt.generate(openSampling, aborting.signal)[Symbol.asyncIterator]()
  const first = answer.next()
  aborting.abort(new Error('left'))
  await expect(first).rejects.toThrow('left')
  expect(upstream.asked).toEqual([])
})

test('an answer that arrives much faster than it is read is whole', async () => {
  const words = Array.from({ length: 5000 }, (_, index) => ` word ${index} of a long answer`)
  const upstream = await streaming(words.map(pieceEvent).join(''), finishEvent('stop'), doneEvent)
  expect(joinText(await ask(upstream.baseUrl))).toBe(words.join(''))
})

test('an answer of which each event is a chunk of its own is whole, however much of it arrives at once', async () => {
  const words = Array.from({ length: 2000 }, (_, index) => ` word ${index} of a long answer`)
  const upstream = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of [...words.map(pieceEvent), finishEvent('stop'), doneEvent]) response.write(event)
    response.end()
  })
  expect(joinText(await ask(upstream.baseUrl))).toBe(words.join(''))
})

test('it is served under our name, and counts nothing by itself beforehand', async () => {
  const engine = engineAt('http://127.0.0.1:1/v1', { contextTokens: 1000 })
  expect(engine.model).toEqual({
    id: 'our-model',
    created: 1,
    ownedBy: 'upstream',
    contextTokens: 1000,
    vocabularyTokens: null,
    features: new Set(['tools', 'reasoning', 'grammar', 'logprobs']),
    parsesAnswers: true,
    acceptsImageUrls: false,
    imageTokens: 2048,
    upstreamNames: ['their-model'],
    acceptedFields: new Set(upstreamDialects.compatible.fields),
  })
  expect(engine.state()).toBe('ready')
  expect((await engine.prepare(talk(messages), never)).promptTokens).toBeNull()
  await engine.close()
  expect(engine.state()).toBe('stopped')
})

test('token IDs are not among its features, even if it accepts some: no answer of an upstream has them', () => {
  const fields = new Set(upstreamDialects.vllm.fields)
  expect(fields.has('stop_token_ids')).toBe(true)
  expect([...upstreamFeatures(fields, [])]).toEqual(['tools', 'reasoning', 'grammar', 'logprobs', 'template'])
})

test("the upstream's counts are reported, although they come after the finish", async () => {
  const upstream = await streaming(pieceEvent('two tokens'), finishEvent('length'), usageEvent(11, 2), doneEvent)
  const events = await ask(upstream.baseUrl)
  expect(events[0]).toEqual({ type: 'accepted', promptTokens: 1 })
  expect(events.at(-1)).toEqual({
    type: 'end',
    reason: 'length',
    promptTokens: 11,
    cachedTokens: 0,
    completionTokens: 2,
    isEstimated: false,
  })
})

test('cached tokens are reported where the upstream knows them', async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 4 } }
  const upstream = await streaming(finishEvent(), `data: ${JSON.stringify({ choices: [], usage })}\n\n`, doneEvent)
  expect((await ask(upstream.baseUrl)).at(-1)).toMatchObject({ promptTokens: 9, cachedTokens: 4, completionTokens: 1 })
})

test.each(['12', 1.5, -1, {}, null, true])('a count that is none is taken for a missing one: %j', async (odd) => {
  const usage = { prompt_tokens: odd, completion_tokens: odd, prompt_tokens_details: { cached_tokens: odd } }
  const counts = `data: ${JSON.stringify({ choices: [], usage })}\n\n`
  const upstream = await streaming(pieceEvent('a'), finishEvent(), counts, doneEvent)
  const told = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, isEstimated: true }
  expect((await ask(upstream.baseUrl)).at(-1)).toMatchObject(told)
})

test('without counts every piece is taken for a token, and the prompt is estimated', async () => {
  const upstream = await streaming(pieceEvent('a'), pieceEvent('b'), finishEvent(), doneEvent)
  expect((await ask(upstream.baseUrl)).at(-1)).toMatchObject({
    promptTokens: 1,
    completionTokens: 2,
    isEstimated: true,
  })
})

test('every finish that is not known is a stop', async () => {
  const known = ['length', 'content_filter']
  for (const reason of ['stop', 'eos', 'tool_calls', ...known]) {
    const upstream = await streaming(pieceEvent('a'), finishEvent(reason), doneEvent)
    expect((await ask(upstream.baseUrl)).at(-1)).toMatchObject({ reason: known.includes(reason) ? reason : 'stop' })
  }
})

const odd: [string, string][] = [
  ['CRLF line ends', [pieceEvent('Hello'), finishEvent(), doneEvent].join('').replaceAll('\n', '\r\n')],
  ['comments and pings', `: ping\n\n${pieceEvent('Hello')}:\n\n${finishEvent()}: bye\n\n${doneEvent}`],
  ['ids, event names and unknown fields', `id: 1\nevent: x\nretry: 5\n${pieceEvent('Hello')}${finishEvent()}`],
  ['no space after the colon', [pieceEvent('Hello'), finishEvent()].join('').replaceAll('data: ', 'data:')],
  ['no [DONE]', pieceEvent('Hello') + finishEvent()],
  ['more after [DONE]', `${pieceEvent('Hello')}${finishEvent()}${doneEvent}data: nonsense\n\n`],
  ['chunks without choices', `data: {}\n\ndata: {"choices":[]}\n\n${pieceEvent('Hello')}${finishEvent()}`],
  [
    'null in the place of content',
    `data: {"choices":[{"delta":{"role":"assistant","content":null}}]}\n\n${pieceEvent('Hello')}${finishEvent()}`,
  ],
  ['the finish in the last piece', 'data: {"choices":[{"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\n'],
]
test.each(odd)('an odd stream is understood: %s', async (_, bytes) => {
  const upstream = await streaming(bytes)
  const events = await ask(upstream.baseUrl)
  expect(joinText(events)).toBe('Hello')
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'stop' })
})

test('a stream may be cut anywhere, also inside a character', async () => {
  const bytes = Buffer.from([pieceEvent('東京'), pieceEvent(' 🐈'), finishEvent(), doneEvent].join(''))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 5 }), async (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
      const upstream = await streaming(...places.slice(1).map((end, index) => bytes.subarray(places[index], end)))
      expect(joinText(await ask(upstream.baseUrl))).toBe('東京 🐈')
      await upstream.close()
    }),
    { numRuns: 25 },
  )
})

const broken: [string, string][] = [
  ['an error event', `${pieceEvent('Hel')}data: {"error":{"message":"out of memory at 10.0.0.7"}}\n\n`],
  ['no finish_reason', pieceEvent('Hel') + doneEvent],
  ['what is not JSON', `${pieceEvent('Hel')}data: <html>\n\n`],
  ['JSON that is no object', `${pieceEvent('Hel')}data: null\n\n`],
  ['nothing at all', ''],
  ['an answer that was not asked to stream', '{"choices":[{"message":{"content":"Hello"}}]}'],
]
test.each(broken)('a broken stream is an upstream_failed that tells nothing: %s', async (_, bytes) => {
  const upstream = await streaming(bytes)
  const error = await failure(ask(upstream.baseUrl))
  expect(error).toMatchObject({ errorName: 'upstream_failed', status: 502 })
  expect(error.message).not.toMatch(/memory|10\.0\.0\.7|html/)
})

test('a connection that breaks in the middle of the answer is an upstream_failed', async () => {
  const upstream = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('Hel'), () => response.destroy())
  })
  expect(await failure(ask(upstream.baseUrl))).toMatchObject({ errorName: 'upstream_failed' })
})

test('a complaint about the request is passed on', async () => {
  for (const status of [400, 413, 422]) {
    const upstream = await refusing(status, JSON.stringify({ error: { message: 'too many tokens' } }))
    const error = await failure(ask(upstream.baseUrl))
    expect(error).toMatchObject({ errorName: 'upstream_refused', status: 400 })
    expect(error.message).toContain('too many tokens')
  }
  const mute = await refusing(400, '<html>')
  expect((await failure(ask(mute.baseUrl))).message).toContain('status 400')
})

test.each([{ code: 'context_length_exceeded' }, { code: 400, type: 'exceed_context_size_error' }])(
  'a prompt that is too long there is one that is too long here: %j',
  async (named) => {
    const upstream = await refusing(400, JSON.stringify({ error: { message: 'at most 4096 tokens', ...named } }))
    const error = await failure(ask(upstream.baseUrl))
    expect(error).toMatchObject({ code: 'context_length_exceeded', options: { param: 'messages' } })
    expect(error.message).toBe('at most 4096 tokens')
  },
)

test('the retry-after of a busy upstream is passed on, within bounds', async () => {
  const pauses: [string | null, number][] = [
    ['5', 5000],
    [null, 2000],
    ['9999', 2000],
    ['soon', 2000],
    ['-1', 2000],
  ]
  for (const [retryAfter, retryAfterMs] of pauses) {
    const upstream = await refusing(429, '{}', retryAfter === null ? {} : { 'retry-after': retryAfter })
    expect(await failure(ask(upstream.baseUrl))).toMatchObject({
      errorName: 'upstream_busy',
      options: { retryAfterMs },
    })
  }
  const precise = await refusing(429, '{}', { 'retry-after': '60', 'retry-after-ms': '2500' })
  expect(await failure(ask(precise.baseUrl))).toMatchObject({ options: { retryAfterMs: 2500 } })
  const starting = await refusing(503, '')
  expect(await failure(ask(starting.baseUrl))).toMatchObject({ errorName: 'upstream_busy', status: 503 })
})

test('a wrong key, a wrong name and upstream faults are not disclosed to the client', async () => {
  for (const status of [401, 403, 404, 500, 502]) {
    const upstream = await refusing(status, JSON.stringify({ error: { message: 'Incorrect API key: their-key' } }))
    const error = await failure(ask(upstream.baseUrl))
    expect(error).toMatchObject({ errorName: 'upstream_failed', status: 502 })
    expect(`${error.message}${error.options.cause}`).not.toContain('their-key')
    expect(String(error.options.cause)).toContain(String(status))
  }
})

test('nobody there is an upstream_failed', async () => {
  const upstream = await startUpstream(() => {})
  await upstream.close()
  expect(await failure(ask(upstream.baseUrl))).toMatchObject({ errorName: 'upstream_failed' })
})

/** An upstream whose answer never ends by itself; it tells when we have left. */
const endless = async () => {
  const { promise: left, resolve } = Promise.withResolvers<void>()
  const upstream = await startUpstream((response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('first'))
    response.on('close', resolve)
  })
  return { ...upstream, left }
}

test('an abort throws its reason and leaves the upstream', async () => {
  const upstream = await endless()
  const abort = new AbortController()
  const prompt = await engineAt(upstream.baseUrl).prepare(talk(messages), abort.signal)
  const reading = (async () => {
    for await (const _ of prompt.generate(openSampling, abort.signal)) abort.abort(new Error('gone'))
  })()
  await expect(reading).rejects.toThrow('gone')
  await upstream.left
})

test('an abort before the first byte of the answer leaves the upstream as well', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const upstream = await startUpstream((response) => {
    response.on('close', leave)
    arrive()
  })
  const abort = new AbortController()
  const asked = failure(ask(upstream.baseUrl, abort.signal))
  await arrived
  abort.abort(new Error('gone'))
  expect((await asked).message).toBe('gone')
  await left
})

test('leaving the loop leaves the upstream', async () => {
  const upstream = await endless()
  const prompt = await engineAt(upstream.baseUrl).prepare(talk(messages), never)
  for await (const _ of prompt.generate(openSampling, never)) break
  await upstream.left
})
