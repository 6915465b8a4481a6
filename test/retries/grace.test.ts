import { expect, test } from 'vitest'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows, settledRows } from '../harness/ledger-rows.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { startHelix } from '../harness/start-helix.ts'

const startHalfway = async (config = {}) => {
  const clock = createManualClock()
  const more = Promise.withResolvers<void>()
  const said = Promise.withResolvers<void>()
  let runs = 0
  const helix = await startHelix({
    clock,
    config,
    engine: { slots: 1 },
    async *answer() {
      runs += 1
      yield* ['one ', 'two ']
      said.resolve()
      await more.promise
      yield* ['three ', 'four']
    },
  })
  /** Reads two events of a stream and disconnects. */
  const beginAndLeave = async (): Promise<string> => {
    const events = liveEvents(await keyedChat(helix, 'k', { stream: true }))
    await events.next()
    await events.next()
    const seen = await events.next()
    await events.leave()
    await helix.logged({ status: 499 })
    return seen?.id ?? ''
  }
  return { helix, clock, more, said: said.promise, beginAndLeave, runs: () => runs }
}
const graceMs = 30_000

test('an answer continues without its client and can be retrieved completely once it has ended', async () => {
  const { helix, clock, more, beginAndLeave, runs } = await startHalfway()
  await beginAndLeave()
  clock.advance(graceMs - 1)
  expect(helix.engine.active()).toBe(1)
  more.resolve()
  expect(await settledRows(helix, 1)).toMatchObject([{ outcome: 'completed', completionTokens: 4 }])
  const events = await liveEvents(await keyedChat(helix, 'k', { stream: true })).rest()
  expect(events.map(textOf)).toEqual(['', 'one ', 'two ', 'three ', 'four', undefined, '[DONE]'])
  expect(runs()).toBe(1)
})

test('after the grace period it is cancelled: what was recorded is billed, and the key starts a new answer', async () => {
  const { helix, clock, more, beginAndLeave, runs } = await startHalfway()
  const lastEventId = await beginAndLeave()
  await clock.awaited(graceMs)
  clock.advance(graceMs)
  expect(await settledRows(helix, 1)).toMatchObject([{ outcome: 'client_closed', completionTokens: 2 }])
  expect(helix.engine.active()).toBe(0)
  expect((await keyedChat(helix, 'k', { stream: true }, { lastEventId })).status).toBe(409)
  more.resolve()
  const next = await keyedChat(helix, 'k', { stream: true })
  expect(next.headers.has('idempotent-replayed')).toBe(false)
  await next.text()
  expect(runs()).toBe(2)
  expect(await ledgerRows(helix)).toHaveLength(2)
  expect(helix.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('a client that reconnects ends the grace period, and starts it again when it leaves', async () => {
  const { helix, clock, beginAndLeave } = await startHalfway()
  const lastEventId = await beginAndLeave()
  await clock.awaited(graceMs)
  clock.advance(graceMs - 1)
  const back = liveEvents(await keyedChat(helix, 'k', { stream: true }, { lastEventId }))
  clock.advance(graceMs * 2)
  expect(helix.engine.active()).toBe(1)
  await back.leave()
  await clock.awaited(graceMs)
  clock.advance(graceMs)
  expect(await settledRows(helix, 1)).toMatchObject([{ outcome: 'client_closed' }])
})

test('with a grace period of 0 it is cancelled immediately', async () => {
  const { helix, beginAndLeave } = await startHalfway({ resumeGraceMs: 0 })
  await beginAndLeave()
  expect(await settledRows(helix, 1)).toMatchObject([{ outcome: 'client_closed', completionTokens: 2 }])
  expect(helix.engine.active()).toBe(0)
})

test('a JSON response continues without its client too; if it is cancelled, only its prompt is billed', async () => {
  const { helix, clock, said } = await startHalfway()
  const leaving = new AbortController()
  const asked = keyedChat(helix, 'k', {}, { signal: leaving.signal })
  await said
  leaving.abort()
  await expect(asked).rejects.toThrow('aborted')
  await clock.awaited(graceMs)
  expect(helix.engine.active()).toBe(1)
  clock.advance(graceMs)
  expect(await settledRows(helix, 1)).toMatchObject([
    { outcome: 'client_closed', promptTokens: 2, completionTokens: 0 },
  ])
})

test('without a key it is cancelled immediately', async () => {
  const { helix } = await startHalfway()
  const events = liveEvents(await helix.chat({ stream: true }))
  await events.next()
  await events.leave()
  expect(await settledRows(helix, 1)).toMatchObject([{ outcome: 'client_closed' }])
  expect(helix.engine.active()).toBe(0)
})

test('the time limit ends an answer, even without a client', async () => {
  const { helix, clock, beginAndLeave } = await startHalfway({ resumeGraceMs: 3_600_000, generationTimeoutMs: 60_000 })
  await beginAndLeave()
  clock.advance(60_000)
  expect(await settledRows(helix, 1)).toMatchObject([{ outcome: 'failed', error: 'generation_timeout' }])
})
