import { expect, test } from 'vitest'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows, settledRows } from '../harness/ledger-rows.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { openHelix, startHelix } from '../harness/start-helix.ts'
import { tempDir } from '../harness/temp-dir.ts'

const asStream = { stream: true }

test('after a restart a settled answer is replayed completely or after an event', async () => {
  const dataDir = await tempDir()
  const before = await openHelix({ config: { dataDir } })
  const events = await liveEvents(await keyedChat(before, 'stream', asStream)).rest()
  const document = await (await keyedChat(before, 'document')).text()
  await before.close()

  const after = await startHelix({
    config: { dataDir },
    answer() {
      throw new Error('must not run')
    },
  })
  const again = await keyedChat(after, 'stream', asStream)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await liveEvents(again).rest()).toEqual(events)
  const lastEventId = events[2]?.id ?? ''
  const resumed = await keyedChat(after, 'stream', asStream, { lastEventId })
  expect(await liveEvents(resumed).rest()).toEqual(events.slice(3))
  expect(await (await keyedChat(after, 'document')).text()).toBe(document)
  expect((await keyedChat(after, 'document', { temperature: 1 })).status).toBe(409)
  expect(await ledgerRows(after)).toHaveLength(2)
})

test('other weights after a restart: a key still gets its recorded answer, and an event of it its own rest', async () => {
  const dataDir = await tempDir()
  const before = await openHelix({ config: { dataDir }, engine: { model: { weightsId: 'before' } } })
  const events = await liveEvents(await keyedChat(before, 'stream', asStream)).rest()
  await before.close()

  const config = { dataDir, cacheModels: ['*'] }
  const other = { config, engine: { model: { weightsId: 'other' } }, answer: () => ['Other ', 'weights'] }
  const after = await startHelix(other)
  expect(await liveEvents(await keyedChat(after, 'stream', asStream)).rest()).toEqual(events)
  const resumed = await keyedChat(after, 'stream', asStream, { lastEventId: events[1]?.id ?? '' })
  expect(await liveEvents(resumed).rest()).toEqual(events.slice(2))
})

/** Answers with two words and waits. */
const startWaiting = async (config = {}) => {
  const clock = createManualClock()
  const more = Promise.withResolvers<void>()
  const dataDir = await tempDir()
  const helix = await openHelix({
    clock,
    config: { dataDir, ...config },
    answer: () => ['one ', 'two ', { pause: more.promise }, 'three'],
  })
  const events = liveEvents(await keyedChat(helix, 'k', asStream))
  await events.next()
  await events.next()
  const seen = await events.next()
  return { helix, clock, more, dataDir, events, lastEventId: seen?.id ?? '' }
}

test('an answer without a client finishes before the server stops, and can be replayed after the restart', async () => {
  const { helix, clock, more, dataDir, events, lastEventId } = await startWaiting()
  await events.leave()
  await helix.logged({ status: 499 })
  const closed = helix.close()
  more.resolve()
  await closed
  expect(await ledgerRows(helix)).toMatchObject([{ outcome: 'completed', completionTokens: 3 }])

  const after = await startHelix({ clock, config: { dataDir } })
  const resumed = liveEvents(await keyedChat(after, 'k', asStream, { lastEventId }))
  expect((await resumed.rest()).map(textOf)).toEqual(['three', undefined, '[DONE]'])
})

test.each([
  ['without a client', true],
  ['with a client', false],
])(
  'after the shutdown grace period it ends with an error (%s), and the key starts a new answer later',
  async (_, leaves) => {
    const { helix, clock, dataDir, events, lastEventId } = await startWaiting({ shutdownGraceMs: 7_000 })
    if (leaves) {
      await events.leave()
      await helix.logged({ status: 499 })
    }
    const closed = helix.close()
    await clock.awaited(7_000)
    clock.advance(7_000)
    if (!leaves)
      expect(JSON.parse((await events.next())?.data ?? '')).toMatchObject({ error: { code: 'shutting_down' } })
    await closed
    const [row] = await ledgerRows(helix)
    expect(row).toMatchObject({ outcome: 'failed', error: 'shutting_down', completionTokens: 2 })

    // Whatever weights it has now: what the client has of the answer is not theirs to continue.
    const after = await startHelix({ clock, config: { dataDir }, engine: { model: { weightsId: 'other' } } })
    expect((await keyedChat(after, 'k', asStream, { lastEventId })).status).toBe(409)
    const next = await keyedChat(after, 'k', asStream)
    expect(next.headers.has('idempotent-replayed')).toBe(false)
    expect(await next.text()).toContain('[DONE]')
    expect(await settledRows(after, 2)).toHaveLength(2)
  },
)
