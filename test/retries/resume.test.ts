import { expect, test } from 'vitest'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows } from '../harness/ledger-rows.ts'
import { liveEvents, textOf } from '../harness/live-events.ts'
import { readError } from '../harness/read-error.ts'
import { startHelix } from '../harness/start-helix.ts'

const asStream = { stream: true }
const whole = ['', 'one ', 'two ', 'three ', 'four', undefined, '[DONE]']

const startHalfway = async () => {
  const more = Promise.withResolvers<void>()
  let runs = 0
  const helix = await startHelix({
    *answer() {
      runs += 1
      yield* ['one ', 'two ', { pause: more.promise }, 'three ', 'four']
    },
  })
  return { helix, more, runs: () => runs }
}

test('a running stream that broke continues after the last event received', async () => {
  const { helix, more, runs } = await startHalfway()
  const broken = liveEvents(await keyedChat(helix, 'k', asStream))
  expect(await broken.nextText()).toBe('')
  const seen = await broken.next()
  expect(seen?.id).toMatch(/^chatcmpl-\w+:1$/)
  await broken.leave()
  await helix.logged({ status: 499 })

  const response = await keyedChat(helix, 'k', asStream, { lastEventId: seen?.id ?? '' })
  expect(response.headers.get('idempotent-replayed')).toBe('true')
  const resumed = liveEvents(response)
  const next = await resumed.next()
  expect(next?.id).toBe(seen?.id?.replace(/1$/, '2'))
  more.resolve()
  expect([next ?? { data: '' }, ...(await resumed.rest())].map(textOf)).toEqual(whole.slice(2))
  expect(runs()).toBe(1)
  expect(await ledgerRows(helix)).toMatchObject([{ outcome: 'completed', completionTokens: 4 }])
})

test('a client that has every event so far learns immediately that the stream continues', async () => {
  const { helix, more } = await startHalfway()
  const first = liveEvents(await keyedChat(helix, 'k', asStream))
  await first.next()
  await first.next()
  const seen = await first.next()
  // The headers arrive although there is no event yet.
  const response = await keyedChat(helix, 'k', asStream, { lastEventId: seen?.id ?? '' })
  expect(response.status).toBe(200)
  more.resolve()
  expect((await liveEvents(response).rest()).map(textOf)).toEqual(whole.slice(3))
})

test('a finished stream continues from storage; after its last event there is only [DONE]', async () => {
  const { helix, more, runs } = await startHalfway()
  more.resolve()
  const events = await liveEvents(await keyedChat(helix, 'k', asStream)).rest()
  for (const [index, { id }] of events.slice(0, -1).entries()) {
    const response = await keyedChat(helix, 'k', asStream, { lastEventId: id ?? '' })
    expect(response.headers.get('idempotent-replayed')).toBe('true')
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await liveEvents(response).rest()).toEqual(events.slice(index + 1))
  }
  expect(runs()).toBe(1)
})

test('an id that does not belong to the answer is refused, and nothing starts', async () => {
  const { helix, more, runs } = await startHalfway()
  const refuse = async (key: string, lastEventId: string) => {
    const response = await keyedChat(helix, key, asStream, { lastEventId })
    expect(response.status).toBe(409)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await readError(response)).toMatchObject({ code: 'stream_not_resumable' })
  }
  await refuse('unknown', 'chatcmpl-000000000000000000000000:0')
  const first = liveEvents(await keyedChat(helix, 'k', asStream))
  const id = (await first.next())?.id?.split(':')[0] ?? ''
  const wrong = [`${id}:3`, `${id}:99`, `${id}:-1`, `${id}:1.5`, `${id}:`, id, '7', `${id}:0, ${id}:1`, 'nonsense']
  for (const lastEventId of wrong) await refuse('k', lastEventId)
  more.resolve()
  await first.rest()
  for (const lastEventId of [`${id}:6`, `${id}:999999999999999`, 'chatcmpl-000000000000000000000000:0'])
    await refuse('k', lastEventId)
  expect(runs()).toBe(1)
})

test('an id is ignored without a key, for a JSON response, and if it is empty', async () => {
  const helix = await startHelix()
  const lastEventId = 'chatcmpl-000000000000000000000000:3'
  const headers = { ...helix.authorized, 'last-event-id': lastEventId }
  const plain = await helix.chat({ ...asStream }, { headers })
  expect((await liveEvents(plain).rest()).map(textOf)).toHaveLength(7)
  expect((await keyedChat(helix, 'document', {}, { lastEventId })).status).toBe(200)
  expect((await keyedChat(helix, 'empty', asStream, { lastEventId: '' })).status).toBe(200)
})
