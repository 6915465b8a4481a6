import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { openRemoteEngine } from '../../src/engine/remote/remote-engine.ts'
import { claimServer } from '../harness/browser-session.ts'
import { createKeyMaker } from '../harness/key-maker.ts'
import { liveEvents } from '../harness/live-events.ts'
import { createLogCatcher } from '../harness/log-catcher.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readLedger } from '../harness/read-ledger.ts'
import {
  doneEvent,
  finishEvent,
  pieceEvent,
  say,
  sayJson,
  startUpstream,
  usageEvent,
} from '../harness/scripted-upstream.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const start = async (answer: (response: ServerResponse) => unknown, contextTokens: number | null = null) => {
  const upstream = await startUpstream(answer)
  const catcher = createLogCatcher({ clock: createManualClock(), format: 'json' })
  const helix = await startHelix({
    startEngine: () =>
      openRemoteEngine({
        baseUrl: upstream.baseUrl,
        key: null,
        upstreamModel: 'theirs',
        name: modelName,
        contextTokens,
        slots: 4,
        created: 0,
        log: catcher.log,
      }),
  })
  return { helix, upstream, catcher }
}

/** Sends these bytes, and nothing more. */
const speaking =
  (...events: string[]) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(events.join(''))
  }

const longPrompt = [{ role: 'user', content: 'word '.repeat(10_000) }]

test('without a limit in the request the upstream gets the reserved tokens as its limit', async () => {
  const { helix, upstream } = await start((response) => say(response, 'ok'))
  await (await helix.chat({})).json()
  await (await helix.chat({ max_tokens: 7 })).json()
  await (await helix.chat({ n: 2 })).json()
  const limits = upstream.asked.map(({ body }) => body.max_tokens)
  expect(limits).toEqual([4096, 7, 4096, 4096])
  const reserved = (await readLedger(helix)).map(({ reservedTokens }) => reservedTokens)
  const prompt = reserved[1] === undefined ? 0 : reserved[1] - 7
  expect(reserved).toEqual([prompt + 4096, prompt + 7, prompt + 8192])
})

test('the prompt is billed once the upstream accepts it, even if the caller disconnects before a token', async () => {
  const taken = Promise.withResolvers<void>()
  const { helix } = await start((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    // A comment is no chunk.
    response.write(': reading\n\n', () => taken.resolve())
  })
  const leaving = new AbortController()
  const asked = helix.chat({ messages: longPrompt, stream: true }, { signal: leaving.signal })
  asked.catch(() => {})
  await taken.promise
  // The server has the head a moment after it was sent.
  for (let trip = 0; trip < 10; trip += 1) await (await fetch(`${helix.url}/healthz`)).text()
  leaving.abort()
  await helix.logged({ status: 499 })
  expect(await readLedger(helix)).toMatchObject([
    { settlement: { outcome: 'client_closed', promptTokens: 10_000, completionTokens: 0, isEstimated: true } },
  ])
})

test('a caller who leaves before a JSON answer pays for the prompt that the upstream was reading', async () => {
  const reached = Promise.withResolvers<void>()
  const { helix, upstream } = await start(() => reached.resolve())
  const leaving = new AbortController()
  const asked = helix.chat({ messages: longPrompt }, { signal: leaving.signal })
  asked.catch(() => {})
  await reached.promise
  expect(upstream.asked[0]?.body).not.toHaveProperty('stream')
  // Our side learns a moment later that everything was sent.
  for (let trip = 0; trip < 10; trip += 1) await (await fetch(`${helix.url}/healthz`)).text()
  leaving.abort()
  await helix.logged({ status: 499 })
  expect(await readLedger(helix)).toMatchObject([
    { settlement: { outcome: 'client_closed', promptTokens: 10_000, completionTokens: 0, isEstimated: true } },
  ])
})

test('a JSON answer without usage is estimated by its text, and marked', async () => {
  const { helix } = await start((response) => sayJson(response, { content: 'word '.repeat(50) }, {}, null))
  const { usage } = (await (await helix.chat({ messages: longPrompt })).json()) as { usage: object }
  expect(usage).toMatchObject({ prompt_tokens: 10_000, completion_tokens: 50 })
  expect(await readLedger(helix)).toMatchObject([
    { settlement: { promptTokens: 10_000, completionTokens: 50, isEstimated: true } },
  ])
})

test('an error in a 200 response to a JSON request is not billed', async () => {
  const { helix } = await start((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"error":{"message":"out of memory"}}'),
  )
  expect((await helix.chat({ messages: longPrompt })).status).toBe(502)
  expect(await readLedger(helix)).toMatchObject([{ settlement: { outcome: 'failed', promptTokens: 0 } }])
})

test('tools and schemas count as part of the prompt, in estimates and in what is plausible', async () => {
  const tool = { type: 'function', function: { name: 'find', description: 'word '.repeat(200) } }
  const silent = await start((response) => sayJson(response, { content: 'a' }, {}, null))
  const { usage } = (await (await silent.helix.chat({ tools: [tool] })).json()) as { usage: { prompt_tokens: number } }
  expect(usage.prompt_tokens).toBeGreaterThan(200)
  const counting = await start((response) =>
    sayJson(response, { content: 'a' }, {}, { prompt_tokens: 1900, completion_tokens: 1 }),
  )
  expect(await (await counting.helix.chat({ tools: [tool] })).json()).toMatchObject({ usage: { prompt_tokens: 1900 } })
})

test('an aborted stream is billed for its prompt and its chunks, and marked as estimated', async () => {
  const { helix } = await start((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('one') + pieceEvent('two'))
  })
  const events = liveEvents(await helix.chat({ messages: longPrompt, stream: true }))
  await events.until('two')
  await events.leave()
  await helix.logged({ status: 499 })
  expect(await readLedger(helix)).toMatchObject([
    { settlement: { outcome: 'client_closed', promptTokens: 10_000, completionTokens: 2, isEstimated: true } },
  ])
})

test('a refusal of the upstream is not billed', async () => {
  const { helix } = await start((response) => response.writeHead(500).end())
  expect((await helix.chat({ messages: longPrompt })).status).toBe(502)
  expect(await readLedger(helix)).toMatchObject([{ settlement: { outcome: 'failed', promptTokens: 0 } }])
})

test('an upstream that reports a million tokens for a limit of 10 is not trusted', async () => {
  const pieces = [pieceEvent('one '), pieceEvent('two')]
  const { helix, catcher } = await start(speaking(...pieces, finishEvent(), usageEvent(4, 1_000_000), doneEvent))
  const answer = (await (await helix.chat({ max_tokens: 10 })).json()) as { usage: object }
  expect(answer.usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 })
  expect(await catcher.logged({ event: 'upstream_count_not_believed' })).toMatchObject({
    level: 'warn',
    what: 'completion_tokens',
    claimed: 1_000_000,
    max: 10,
  })
  expect(await readLedger(helix)).toMatchObject([
    { settlement: { promptTokens: 4, completionTokens: 2, isEstimated: true } },
  ])
})

test('an upstream that splits its tokens is billed at most for the limit, even if the caller disconnects', async () => {
  const letters = [...'abcdefghijklmnop'].map(pieceEvent)
  const { helix } = await start((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(letters.join(''))
  })
  const events = liveEvents(await helix.chat({ stream: true, max_tokens: 10 }))
  await events.until('p')
  await events.leave()
  await helix.logged({ status: 499 })
  expect(await readLedger(helix)).toMatchObject([{ settlement: { completionTokens: 10, isEstimated: true } }])
})

test('counts without usage are shown as estimated', async () => {
  const { helix } = await start(speaking(pieceEvent('Hello'), finishEvent(), doneEvent))
  const owner = await claimServer(helix)
  const body = { model: modelName, messages: [{ role: 'user', content: 'How are you today?' }] }
  expect((await owner.post('/playground/chat/completions', body)).status).toBe(200)
  const { data } = (await (await owner.get('/requests')).json()) as { data: object[] }
  expect(data).toMatchObject([{ outcome: 'completed', promptTokens: 3, completionTokens: 1, estimated: true }])
  expect(await (await owner.get('/usage')).json()).toMatchObject({ data: [{ estimated: 1 }], total: { estimated: 1 } })
  const [head, line] = (await (await owner.get('/usage.csv')).text()).split('\r\n')
  expect([head?.split(',').at(-1), line?.split(',').at(-1)]).toEqual(['estimated_requests', '1'])
  const manager = await createKeyMaker(helix)({ scopes: ['manage'] })
  expect(await (await manager.call('GET', '/v1/usage')).json()).toMatchObject({ total: { estimated_requests: 1 } })
})

test('counts from the upstream are not marked', async () => {
  const { helix } = await start((response) => say(response, 'ok'))
  await (await helix.chat({})).json()
  const [row] = await readLedger(helix)
  expect(row?.settlement).toMatchObject({ promptTokens: 7, completionTokens: 1 })
  expect(row?.settlement).not.toHaveProperty('isEstimated')
})
