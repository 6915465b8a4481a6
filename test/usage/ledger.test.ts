import { expect, test } from 'vitest'
import { ApiError } from '../../src/base/api-error.ts'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { openRawConnection } from '../harness/raw-connection.ts'
import { rawRequests } from '../harness/raw-request.ts'
import { readChunks, readEvents } from '../harness/read-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const never = new Promise<never>(() => {})
const prompt = (content: string) => ({ messages: [{ role: 'user', content }] })
const usageIn = async (response: Response): Promise<unknown> => ((await response.json()) as { usage: unknown }).usage
const usageOf = (row: Awaited<ReturnType<typeof readLedger>>[number] | undefined) => {
  if (row?.settlement === null || row === undefined) throw new Error('the request is not settled')
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = row.settlement
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

test('the ledger has the usage and outcome of every answer, streamed or not', async () => {
  const helix = await startHelix({
    clock: createManualClock(Date.UTC(2001, 10, 15)),
    engine: { model: { features: new Set(['reasoning', 'tools', 'grammar', 'logprobs', 'token_ids', 'template']) } },
    answer: () => ['<think>', 'hm', ', ', '</think>', 'Hello', ' EN', 'D'],
  })
  const document = await usageIn(await helix.chat({ stop: 'END', n: 2 }))
  const streamed = { stop: 'END', n: 2, stream: true, stream_options: { include_usage: true } }
  const chunks = await readChunks(await helix.chat(streamed))
  const short = await usageIn(await helix.chat({ max_tokens: 5 }))
  const rows = await readLedger(helix)
  expect(rows.map(usageOf)).toEqual([document, chunks.at(-1)?.usage, short])
  expect(document).toMatchObject({
    prompt_tokens: 2,
    completion_tokens: 14,
    completion_tokens_details: { reasoning_tokens: 4 },
  })
  expect(rows[1]).toMatchObject({
    requestId: expect.stringMatching(/^req_/),
    organisationId: expect.stringMatching(/^org_/),
    keyId: expect.stringMatching(/^key_/),
    model: modelName,
    endpoint: 'chat.completions',
    stream: true,
    // The prompt once, and twice as much as the context has left.
    reservedTokens: 2 + 2 * 1024,
    createdAt: Date.UTC(2001, 10, 15),
    settlement: {
      outcome: 'completed',
      finishReason: 'stop',
      error: null,
      queueMs: 0,
      firstTokenMs: 0,
      durationMs: 0,
      endedAt: Date.UTC(2001, 10, 15),
      day: 20011115,
    },
  })
  expect(rows[0]).toMatchObject({ stream: false })
  expect(rows[2]).toMatchObject({ reservedTokens: 2 + 5, settlement: { finishReason: 'length', completionTokens: 5 } })
})

test('playground requests are in the ledger, without a key', async () => {
  const helix = await startHelix()
  await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  const answer = await anna.post('/playground/chat/completions', { model: modelName, ...prompt('Hi') })
  expect(answer.status).toBe(200)
  await answer.json()
  expect(await readLedger(helix)).toMatchObject([
    { keyId: null, endpoint: 'playground', settlement: { outcome: 'completed', promptTokens: 2, completionTokens: 4 } },
  ])
})

test('a stream that fails midway counts what was sent, a JSON response only its prompt', async () => {
  const helix = await startHelix({
    *answer(messages) {
      if (messages[0]?.content === 'early') yield { fail: ApiError.of('engine_failed', {}) }
      yield 'one '
      yield 'EN'
      yield { fail: messages[0]?.content === 'badly' ? new Error('a fault') : ApiError.of('engine_failed', {}) }
    },
  })
  const stop = 'END'
  await readEvents(await helix.chat({ ...prompt('late'), stop, stream: true }))
  await readEvents(await helix.chat({ ...prompt('badly'), stop, stream: true }))
  expect((await helix.chat({ ...prompt('late'), stop })).status).toBe(500)
  expect((await helix.chat({ ...prompt('early'), stop })).status).toBe(500)
  const settled = (await readLedger(helix)).map(({ settlement }) => settlement)
  const failed = { outcome: 'failed', finishReason: null, error: 'engine_failed' }
  expect(settled).toMatchObject([
    { ...failed, promptTokens: 2, completionTokens: 1 },
    { ...failed, error: 'internal_error', promptTokens: 3, completionTokens: 1 },
    { ...failed, promptTokens: 2, completionTokens: 0 },
    { ...failed, promptTokens: 0, completionTokens: 0, firstTokenMs: null },
  ])
})

test('a request that gets no slot is settled with zero tokens and the reason', async () => {
  const clock = createManualClock()
  const begun = Promise.withResolvers<void>()
  const helix = await startHelix({
    clock,
    engine: { slots: 1 },
    config: { queueLimit: 1, queueTimeoutMs: 7000 },
    *answer() {
      begun.resolve()
      yield { pause: never }
    },
  })
  const leaving = new AbortController()
  const first = helix.chat({}, { signal: leaving.signal }).catch(() => {})
  await begun.promise
  const waiting = helix.chat({})
  await clock.awaited(7000)
  expect((await helix.chat({})).status).toBe(503)
  clock.advance(7000)
  expect((await waiting).status).toBe(503)
  leaving.abort()
  await first
  const rows = await readLedger(helix)
  expect(rows.map(({ settlement }) => settlement)).toMatchObject([
    { outcome: 'client_closed', error: null, promptTokens: 0, queueMs: 0 },
    { outcome: 'failed', error: 'queue_timeout', promptTokens: 0, queueMs: null, firstTokenMs: null, durationMs: 7000 },
    { outcome: 'failed', error: 'queue_full', promptTokens: 0, queueMs: null },
  ])
})

test('a client that disconnects pays for what was sent: the tokens of a stream, the prompt of a JSON response', async () => {
  let waiting = 0
  const allWait = Promise.withResolvers<void>()
  const helix = await startHelix({
    *answer() {
      yield 'one '
      yield 'two EN'
      waiting += 1
      if (waiting === 2) allWait.resolve()
      yield { pause: never }
    },
  })
  const leaving = new AbortController()
  const response = await helix.chat({ stream: true, stop: 'END' }, { signal: leaving.signal })
  const reading = response.text().catch(() => {})
  const document = helix.chat({}, { signal: leaving.signal }).catch(() => {})
  await allWait.promise
  leaving.abort()
  await Promise.all([reading, document])
  const rows = await readLedger(helix)
  const left = {
    outcome: 'client_closed',
    finishReason: null,
    error: null,
    promptTokens: 2,
    firstTokenMs: expect.any(Number),
  }
  expect(rows.map(({ settlement }) => settlement)).toMatchObject([
    // The second token ends in what may become the stop text.
    { ...left, completionTokens: 1 },
    { ...left, completionTokens: 0 },
  ])
})

test('of an aborted stream the sent tokens of each choice count, and the prompt once', async () => {
  let choices = 0
  const helix = await startHelix({
    *answer() {
      choices += 1
      const own = choices
      for (let said = 0; said < own; said += 1) yield 'word '
      yield own === 3 ? { fail: ApiError.of('engine_failed', {}) } : { pause: never }
    },
  })
  const events = await readEvents(await helix.chat({ stream: true, n: 3 }))
  const told = events.filter((data) => data.includes('"content":"word "')).length
  expect(told).toBeGreaterThan(3)
  expect(await readLedger(helix)).toMatchObject([
    { settlement: { outcome: 'failed', error: 'engine_failed', promptTokens: 2, completionTokens: told } },
  ])
})

test('requests that never began are not in the ledger', async () => {
  const helix = await startHelix()
  expect((await helix.chat({ model: 'another' })).status).toBe(404)
  expect((await helix.chat({ n: 0 })).status).toBe(400)
  expect((await helix.chat({ max_tokens: 5000 })).status).toBe(400)
  expect(await readLedger(helix)).toEqual([])
})

test('requests that are aborted by the shutdown are settled at what was sent', async () => {
  const clock = createManualClock()
  const helix = await startHelix({
    clock,
    config: { shutdownGraceMs: 9000 },
    *answer() {
      yield 'one'
      yield { pause: never }
    },
  })
  const response = await helix.chat({ stream: true })
  const rows = readLedger(helix)
  await clock.awaited(9000)
  clock.advance(9000)
  expect((await readEvents(response)).at(-1)).toContain('shutting_down')
  expect(await rows).toMatchObject([
    { settlement: { outcome: 'failed', error: 'shutting_down', promptTokens: 2, completionTokens: 1 } },
  ])
})

test('a pipelined request does not begin before its turn, and costs nothing if the client disconnects', async () => {
  const asked: string[] = []
  const begun = Promise.withResolvers<void>()
  const helix = await startHelix({
    *answer(messages) {
      asked.push(messages[0]?.content ?? '')
      yield 'one'
      begun.resolve()
      yield { pause: never }
    },
  })
  const connection = await openRawConnection(helix.url)
  const { postBody } = rawRequests(helix)
  connection.send(postBody('first', { stream: true }) + postBody('second'))
  await begun.promise
  connection.socket.destroy()
  await helix.logged({ status: 499 })
  expect(await readLedger(helix)).toMatchObject([{ settlement: { outcome: 'client_closed', completionTokens: 1 } }])
  expect(asked).toEqual(['first'])
})
