import { expect, test } from 'vitest'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows, settledRows } from '../harness/ledger-rows.ts'
import { liveEvents } from '../harness/live-events.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { openRawConnection } from '../harness/raw-connection.ts'
import { chatBody, rawRequests } from '../harness/raw-request.ts'
import { readError } from '../harness/read-error.ts'
import { startHelix } from '../harness/start-helix.ts'

const asStream = { stream: true }
const piece = 'x'.repeat(10_000)
const smallest = 65_536

test('an answer that is too long to be stored is sent completely, once', async () => {
  const helix = await startHelix({
    config: { replayAnswerLimitBytes: smallest },
    answer: () => Array.from({ length: 50 }, () => piece),
  })
  const response = await keyedChat(helix, 'k', asStream)
  const events = await liveEvents(response).rest()
  expect(events.at(-1)?.data).toBe('[DONE]')
  expect(events).toHaveLength(53)
  for (const init of [{}, { lastEventId: events[40]?.id ?? '' }]) {
    const again = await keyedChat(helix, 'k', asStream, init)
    expect(again.status).toBe(409)
    expect(again.headers.get('x-should-retry')).toBe('false')
    expect(await readError(again)).toMatchObject({ code: 'answer_not_kept' })
  }
  expect(await ledgerRows(helix)).toHaveLength(1)
})

test('a JSON response that is too long to be stored is sent to all requests that wait for it', async () => {
  const helix = await startHelix({
    config: { replayAnswerLimitBytes: smallest },
    answer: () => Array.from({ length: 50 }, () => piece),
  })
  const answer = await (await keyedChat(helix, 'k')).json()
  expect(answer).toMatchObject({ choices: [{ message: { content: piece.repeat(50) } }] })
  expect((await keyedChat(helix, 'k')).status).toBe(409)
})

test('while a long answer is running, a stream can be resumed only after an event that was not dropped', async () => {
  const more = Promise.withResolvers<void>()
  const helix = await startHelix({
    config: { replayAnswerLimitBytes: smallest },
    answer: () => [...Array.from({ length: 20 }, () => piece), { pause: more.promise }, 'end'],
  })
  const first = liveEvents(await keyedChat(helix, 'k', asStream))
  const seen: string[] = []
  for (let index = 0; index < 21; index += 1) seen.push((await first.next())?.id ?? '')
  const attach = (lastEventId: string) => keyedChat(helix, 'k', asStream, { lastEventId })
  expect((await keyedChat(helix, 'k', asStream)).status).toBe(409)
  expect(await readError(await attach(seen[2] ?? ''))).toMatchObject({ code: 'answer_not_kept' })
  const behind = await attach(seen[18] ?? '')
  expect(behind.status).toBe(200)
  more.resolve()
  expect((await liveEvents(behind).rest()).map(({ id }) => id?.split(':')[1])).toEqual([
    '19',
    '20',
    '21',
    '22',
    undefined,
  ])
  await first.rest()
})

test('beyond the limit the answer waits for a client that does not read, until that one is disconnected', async () => {
  const clock = createManualClock()
  let generated = 0
  const helix = await startHelix({
    clock,
    config: { replayAnswerLimitBytes: smallest, answerLimitBytes: smallest, resumeGraceMs: 0 },
    *answer(messages) {
      if (messages[0]?.content !== 'much') return yield 'ok'
      for (;;) {
        generated += 1
        yield piece
      }
    },
  })
  const stalled = await openRawConnection(helix.url)
  stalled.socket.pause()
  const json = chatBody('much', asStream)
  const { post } = rawRequests(helix)
  stalled.send(post(`content-length: ${json.length}`, 'idempotency-key: k') + json)
  await clock.awaited(30_000)
  // Floods have a share of the time, so it may pause for a moment before it waits for the client.
  for (let unchanged = 0; unchanged < 10; ) {
    const before = generated
    expect((await helix.chat({})).status).toBe(200)
    unchanged = generated === before ? unchanged + 1 : 0
  }
  clock.advance(30_000)
  const rows = await settledRows(helix, (await ledgerRows(helix)).length)
  const row = rows.find(({ stream }) => stream)
  expect(row).toMatchObject({ outcome: 'client_closed' })
  // What had not been recorded is not billed.
  expect(row?.completionTokens).toBeGreaterThan(0)
  expect(row?.completionTokens).toBeLessThan(generated)
  expect(helix.engine.active()).toBe(0)
})

test('without a client, an answer waits once it reaches the limit', async () => {
  let generated = 0
  const left = Promise.withResolvers<void>()
  const helix = await startHelix({
    config: { replayAnswerLimitBytes: smallest, answerLimitBytes: smallest },
    *answer() {
      yield 'first'
      yield { pause: left.promise }
      for (; generated < 30; generated += 1) yield piece
    },
  })
  const first = liveEvents(await keyedChat(helix, 'k', asStream))
  await first.next()
  const seen = await first.next()
  await first.leave()
  await helix.logged({ status: 499 })
  left.resolve()
  let before: number
  do {
    before = generated
    expect((await helix.get('/v1/models')).status).toBe(200)
  } while (generated !== before || generated === 0)
  expect(generated).toBeLessThan(12)
  const rest = await keyedChat(helix, 'k', asStream, { lastEventId: seen?.id ?? '' })
  expect(await liveEvents(rest).rest()).toHaveLength(32)
})

test('if memory is full, a new answer is refused before it starts', async () => {
  const more = Promise.withResolvers<void>()
  const helix = await startHelix({
    config: { replayMemoryLimitBytes: smallest },
    answer: () => [piece, piece, piece, piece, piece, { pause: more.promise }],
  })
  const first = liveEvents(await keyedChat(helix, 'first', asStream))
  for (let index = 0; index < 6; index += 1) await first.next()
  const refused = await keyedChat(helix, 'second', asStream)
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(await readError(refused)).toMatchObject({ code: 'replay_buffer_full' })
  expect((await helix.chat({ max_tokens: 1 })).status).toBe(200)
  more.resolve()
  await first.rest()
  expect((await keyedChat(helix, 'second', { ...asStream, max_tokens: 1 })).status).toBe(200)
})

test('if the disk is full, a new answer is refused before it starts; stored ones are replayed until they expire', async () => {
  const clock = createManualClock()
  const helix = await startHelix({
    clock,
    config: { replayDiskLimitBytes: smallest },
    answer: () => [piece, piece, piece, piece, piece],
  })
  const text = await (await keyedChat(helix, 'first')).text()
  const refused = await keyedChat(helix, 'second')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(await readError(refused)).toMatchObject({ code: 'replay_buffer_full' })
  expect(await (await keyedChat(helix, 'first')).text()).toBe(text)
  clock.advance(24 * 3_600_000)
  expect((await keyedChat(helix, 'second')).status).toBe(200)
  expect(await ledgerRows(helix)).toHaveLength(2)
})
