import { expect, test } from 'vitest'
import { ApiError } from '../../src/base/api-error.ts'
import { openScriptedEngine } from '../../src/engine/scripted.ts'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows, settledRows } from '../harness/ledger-rows.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { readError } from '../harness/read-error.ts'
import { type HelixOptions, modelName, startHelix } from '../harness/start-helix.ts'

/** Answers with two words, waits, and adds two more. */
const startHalfway = async (options: HelixOptions = {}) => {
  const more = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let runs = 0
  const helix = await startHelix({
    ...options,
    *answer() {
      runs += 1
      yield* ['one ', 'two ']
      begun.resolve()
      yield { pause: more.promise }
      yield* ['three ', 'four']
    },
  })
  return { helix, more, begun: begun.promise, runs: () => runs }
}
const whole = ['', 'one ', 'two ', 'three ', 'four', undefined, '[DONE]']

test('a running stream is replayed from its beginning and continues live', async () => {
  const { helix, more, runs } = await startHalfway()
  const first = liveEvents(await keyedChat(helix, 'k', { stream: true }))
  expect([await first.nextText(), await first.nextText(), await first.nextText()]).toEqual(whole.slice(0, 3))
  const attached = await keyedChat(helix, 'k', { stream: true })
  expect(attached.headers.get('idempotent-replayed')).toBe('true')
  const second = liveEvents(attached)
  expect([await second.nextText(), await second.nextText(), await second.nextText()]).toEqual(whole.slice(0, 3))
  more.resolve()
  expect((await first.rest()).map(textOf)).toEqual(whole.slice(3))
  expect((await second.rest()).map(textOf)).toEqual(whole.slice(3))
  expect(runs()).toBe(1)
  expect(await ledgerRows(helix)).toMatchObject([{ outcome: 'completed', completionTokens: 4 }])
})

test('a retry waits for a JSON response that is not ready', async () => {
  const { helix, more, begun, runs } = await startHalfway()
  const first = keyedChat(helix, 'k')
  await begun
  const second = keyedChat(helix, 'k')
  // Once this one is answered, the one before it has arrived.
  expect((await keyedChat(helix, 'k', { temperature: 1 })).status).toBe(409)
  more.resolve()
  const texts = await Promise.all([first, second].map(async (response) => (await response).text()))
  expect(texts[0]).toContain('one two three four')
  expect(texts[1]).toBe(texts[0])
  expect((await second).headers.get('idempotent-replayed')).toBe('true')
  expect(runs()).toBe(1)
})

test('a retry does not depend on the first connection: when that one closes, the answer continues', async () => {
  const { helix, more } = await startHalfway({ config: { resumeGraceMs: 0 } })
  const first = liveEvents(await keyedChat(helix, 'k', { stream: true }))
  await first.next()
  const second = liveEvents(await keyedChat(helix, 'k', { stream: true }))
  await second.next()
  await first.leave()
  await helix.logged({ status: 499 })
  more.resolve()
  expect((await second.rest()).map(textOf)).toEqual(whole.slice(1))
  expect(await ledgerRows(helix)).toMatchObject([{ outcome: 'completed', completionTokens: 4 }])
})

test('a failure before generation is sent to all requests with the key, and is not stored', async () => {
  const engine = openScriptedEngine({ model: { id: modelName }, answer: () => ['ok'] })
  const refused = Promise.withResolvers<never>()
  const preparing = Promise.withResolvers<void>()
  let onModelRead = (): void => {}
  let asked = 0
  const helix = await startHelix({
    startEngine: () => ({
      ...engine,
      get model() {
        onModelRead()
        return engine.model
      },
      prepare(conversation, signal) {
        asked += 1
        preparing.resolve()
        return asked === 1 ? refused.promise : engine.prepare(conversation, signal)
      },
    }),
  })
  const first = keyedChat(helix, 'k', { stream: true })
  await preparing.promise
  // Every request is checked against the model and then continues without a pause.
  const arrived = new Promise<void>((resolve) => {
    onModelRead = resolve
  })
  const both = [first, keyedChat(helix, 'k', { stream: true })]
  await arrived
  await new Promise((resolve) => setImmediate(resolve))
  refused.reject(ApiError.of('engine_loading', {}, { retryAfterMs: 1500 }))
  for (const response of await Promise.all(both)) {
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after-ms')).toBe('1500')
    expect(await readError(response)).toMatchObject({ code: 'engine_loading' })
  }
  const next = await keyedChat(helix, 'k', { stream: true })
  expect(next.status).toBe(200)
  expect(next.headers.has('idempotent-replayed')).toBe(false)
  expect(await next.text()).toContain('[DONE]')
  expect(asked).toBe(2)
  expect(await ledgerRows(helix)).toHaveLength(1)
})

test('a failure during the answer is sent to all requests with the key, and the next one starts a new answer', async () => {
  const { helix, more, runs } = await startHalfway()
  const first = liveEvents(await keyedChat(helix, 'k', { stream: true }))
  const second = liveEvents(await keyedChat(helix, 'k', { stream: true }))
  const lastEventId = (await first.next())?.id ?? ''
  more.reject(new Error('the engine broke'))
  for (const listener of [first, second]) {
    const events = await listener.rest()
    expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({ error: { code: 'internal_error' } })
    expect(events.at(-1)?.id).toBeUndefined()
  }
  const behind = await keyedChat(helix, 'k', { stream: true }, { lastEventId })
  expect(behind.status).toBe(409)
  expect(await readError(behind)).toMatchObject({ code: 'stream_not_resumable' })
  expect(runs()).toBe(1)
  const next = await keyedChat(helix, 'k', { stream: true })
  expect(next.headers.has('idempotent-replayed')).toBe(false)
  await next.text()
  expect(runs()).toBe(2)
  expect((await settledRows(helix, 2)).map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
})

test('a client that does not read delays neither the answer nor other clients', async () => {
  const piece = 'x'.repeat(10_000)
  const helix = await startHelix({ answer: () => Array.from({ length: 1_000 }, () => piece) })
  const asked = await keyedChat(helix, 'k', { stream: true })
  const attached = await keyedChat(helix, 'k', { stream: true })
  const text = await attached.text()
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(await asked.text()).toBe(text)
})
