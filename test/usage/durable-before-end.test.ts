import { expect, test } from 'vitest'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows } from '../harness/ledger-rows.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { lockWrites } from '../harness/lock-writes.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { type Helix, startHelix } from '../harness/start-helix.ts'

/** The clock stands still, so that only a write lets an answer end. */
const start = async () => {
  const clock = createManualClock()
  const more = Promise.withResolvers<void>()
  const said = Promise.withResolvers<void>()
  const helix = await startHelix({
    clock,
    *answer() {
      yield* ['one ', 'two']
      said.resolve()
      yield { pause: more.promise }
    },
  })
  return { helix, more, said: said.promise }
}

/** Whatever the server has written before is in the client's hands afterwards. */
const roundTrips = async ({ url }: Helix): Promise<void> => {
  for (let trip = 0; trip < 10; trip += 1) await (await fetch(`${url}/healthz`)).text()
}

const hasCome = (promise: Promise<unknown>): (() => boolean) => {
  let come = false
  void promise.then(() => {
    come = true
  })
  return () => come
}

const billedWhole = (completionTokens: number) => ({ outcome: 'completed', promptTokens: 2, completionTokens })

test.each([
  ['', { n: 1 }, 2],
  [' of two choices', { n: 2 }, 4],
  [' with usage', { stream_options: { include_usage: true } }, 2],
])('the finish of a stream%s is sent once its settlement is durable', async (_, body, tokens) => {
  const { helix, more, said } = await start()
  const events = liveEvents(await helix.chat({ stream: true, ...body }))
  const texts: unknown[] = []
  while (texts.filter((text) => text === 'two').length < tokens / 2) texts.push(await events.nextText())
  await said
  const lock = await lockWrites(helix)
  more.resolve()
  const finish = events.next()
  const isFinished = hasCome(finish)
  await roundTrips(helix)
  expect(isFinished()).toBe(false)
  await lock.unlock()
  expect((await finish)?.data).toContain('"finish_reason":"stop"')
  expect(await ledgerRows(helix)).toMatchObject([billedWhole(tokens)])
  expect((await events.rest()).map(textOf).at(-1)).toBe('[DONE]')
})

test('the finish of a stream with an Idempotency-Key is sent once its settlement is durable', async () => {
  const { helix, more, said } = await start()
  const events = liveEvents(await keyedChat(helix, 'k', { stream: true }))
  await events.until('two')
  await said
  const lock = await lockWrites(helix)
  more.resolve()
  const finish = events.next()
  const isFinished = hasCome(finish)
  await roundTrips(helix)
  expect(isFinished()).toBe(false)
  await lock.unlock()
  expect((await finish)?.data).toContain('"finish_reason":"stop"')
  expect(await ledgerRows(helix)).toMatchObject([billedWhole(2)])
})

test('a JSON response is sent once its settlement is durable', async () => {
  const { helix, more, said } = await start()
  const asked = helix.chat({})
  const hasAnswer = hasCome(asked)
  await said
  const lock = await lockWrites(helix)
  more.resolve()
  await roundTrips(helix)
  expect(hasAnswer()).toBe(false)
  await lock.unlock()
  expect((await asked).status).toBe(200)
  expect(await ledgerRows(helix)).toMatchObject([billedWhole(2)])
})
