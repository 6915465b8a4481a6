import { expect, test } from 'vitest'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { ApiError } from '../base/api-error.ts'
import type { ReplayRecord, ReplayRecords } from '../store/replay-contract.ts'
import { bodyHash } from './body-hash.ts'
import { createLocalClaims } from './claims/local-claims.ts'
import { endWaitMs, type Recorder } from './recording.ts'
import { type IdempotentRequest, openReplays, type ReplaysOptions } from './replays.ts'
import type { SharedEvents } from './shared/shared-events.ts'
import type { Subscription } from './subscription.ts'

const never = new AbortController().signal

/** A store in memory. */
const createRecords = () => {
  const stored: ReplayRecord[] = []
  let lookups = 0
  const records: ReplayRecords = {
    has: async (...wanted) => (await records.find(...wanted)) !== null,
    async find(organisationId, keyHash, now) {
      lookups += 1
      const found = stored.findLast(
        (one) => one.organisationId === organisationId && Buffer.compare(one.keyHash, keyHash) === 0,
      )
      return found !== undefined && found.expiresAt > now ? found : null
    },
    async removeExpired(now) {
      const expired = stored.filter(({ expiresAt }) => expiresAt <= now)
      for (const one of expired) stored.splice(stored.indexOf(one), 1)
      return expired.length
    },
    bytes: async () => {
      const sums = new Map<string, number>()
      for (const { organisationId, content } of stored)
        sums.set(organisationId, (sums.get(organisationId) ?? 0) + Buffer.byteLength(content))
      return sums
    },
  }
  return { records, stored, insert: async (record: ReplayRecord) => void stored.push(record), lookups: () => lookups }
}

const open = async (options: Partial<ReplaysOptions> = {}) => {
  const clock = createManualClock()
  const store = createRecords()
  const catcher = createLogCatcher({ clock, format: 'json' })
  const replays = await openReplays({
    records: store.records,
    clock,
    log: catcher.log,
    resumeGraceMs: 30_000,
    replayRetentionHours: () => 24,
    replayAnswerLimitBytes: 100_000,
    replayMemoryLimitBytes: 1_000_000,
    replayDiskLimitBytes: 1_000_000,
    abandoned: () => new Error('abandoned'),
    ...options,
  })
  let runs = 0
  const send = (more: Partial<IdempotentRequest> = {}): Promise<Subscription> => {
    runs += 1
    return replays.open({
      organisationId: 'org_1',
      keyId: 'key_1',
      idempotencyKey: 'key',
      bodyHash: bodyHash({ n: 1 }),
      stream: true,
      lastEventId: null,
      requestId: `req_${runs}`,
      completionId: `chatcmpl-${runs}`,
      maxBytes: 16_384,
      execute: respond(store.insert, 'a', 'b'),
      ...more,
    })
  }
  return { replays, clock, send, catcher, ...store }
}
type Insert = (record: ReplayRecord) => Promise<void>
const respond =
  (insert: Insert, ...events: string[]) =>
  async (recorder: Recorder): Promise<void> => {
    for (const data of events) await recorder.append(data, never)
    await recorder.end([], insert)
  }
/** Responds with 'a' and, once `more` resolves, with 'b'. */
const respondInHalves = (insert: Insert) => {
  const more = Promise.withResolvers<void>()
  const signals: AbortSignal[] = []
  const execute = async (recorder: Recorder): Promise<void> => {
    const { signal } = recorder
    signals.push(signal)
    signal.addEventListener('abort', () => more.reject(signal.reason))
    await recorder.append('a', signal)
    await more.promise
    await recorder.append('b', signal)
    await recorder.end([], insert)
  }
  return { execute, more, signal: () => signals[0] }
}
const receive = async (subscription: Subscription): Promise<string[]> => {
  try {
    return await Array.fromAsync(subscription.events(never), ({ data }) => data)
  } finally {
    subscription.close()
  }
}
/** As if Redis were away. */
const noEvents: SharedEvents = {
  append: () => Promise.reject(new Error('away')),
  read: () => Promise.reject(new Error('away')),
  onMore: () => () => {},
  attend: () => Promise.reject(new Error('away')),
  attendedMs: () => Promise.reject(new Error('away')),
}
const turns = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('of several requests with the same key at the same moment one is executed, and all receive its response', async () => {
  const { send, stored, lookups } = await open()
  const subscriptions = await Promise.all([send(), send(), send()])
  expect(subscriptions.map(({ replayed }) => replayed)).toEqual([false, true, true])
  expect(await Promise.all(subscriptions.map(receive))).toEqual([
    ['a', 'b'],
    ['a', 'b'],
    ['a', 'b'],
  ])
  expect(stored).toHaveLength(1)
  expect(lookups()).toBe(1)
})

test('a response is replayed from the store until it expires', async () => {
  const { send, clock, stored } = await open()
  await receive(await send())
  clock.advance(24 * 3_600_000 - 1)
  const again = await send({ execute: () => Promise.reject(new Error('must not be executed')) })
  expect(again.replayed).toBe(true)
  expect(await receive(again)).toEqual(['a', 'b'])
  clock.advance(1)
  expect((await send()).replayed).toBe(false)
  await turns()
  clock.advance(3_600_000)
  await turns()
  expect(stored).toMatchObject([{ completionId: 'chatcmpl-3' }])
})

test('the same key with another body is refused, while the response is running and once it is stored', async () => {
  const { send, insert } = await open()
  const half = respondInHalves(insert)
  const first = await send({ execute: half.execute })
  await expect(send({ bodyHash: bodyHash({ n: 2 }) })).rejects.toMatchObject({ errorName: 'idempotency_key_reuse' })
  half.more.resolve()
  await receive(first)
  await expect(send({ bodyHash: bodyHash({ n: 2 }) })).rejects.toMatchObject({ errorName: 'idempotency_key_reuse' })
  expect((await send()).replayed).toBe(true)
})

test('organisations do not share keys', async () => {
  const { send } = await open()
  await receive(await send())
  expect((await send({ organisationId: 'org_2' })).replayed).toBe(false)
})

test('a request with the wrong body does not affect one with the right body at the same moment', async () => {
  const { send } = await open()
  await receive(await send())
  const [wrong, right] = await Promise.allSettled([send({ bodyHash: bodyHash({ n: 2 }) }), send()])
  expect(wrong).toMatchObject({ status: 'rejected', reason: { errorName: 'idempotency_key_reuse' } })
  expect(right).toMatchObject({ status: 'fulfilled', value: { replayed: true } })
})

test('a request to resume an unknown response does not start one', async () => {
  const { send, stored } = await open()
  const [behind, fresh] = await Promise.allSettled([send({ lastEventId: 'chatcmpl-9:3' }), send()])
  expect(behind).toMatchObject({ status: 'rejected', reason: { errorName: 'stream_not_resumable' } })
  expect(fresh).toMatchObject({ status: 'fulfilled', value: { replayed: false } })
  await turns()
  expect(stored).toHaveLength(1)
})

test.each([
  ['the first event', 'chatcmpl-1:0', ['b']],
  ['the last event', 'chatcmpl-1:1', []],
])('a stream continues after %s, running and stored', async (_, lastEventId, rest) => {
  const { send, insert } = await open()
  const half = respondInHalves(insert)
  const first = await send({ execute: half.execute })
  half.more.resolve()
  await turns()
  const live = await send({ lastEventId })
  expect(await receive(live)).toEqual(rest)
  await receive(first)
  expect(await receive(await send({ lastEventId }))).toEqual(rest)
})

test.each([
  ['of another response', 'chatcmpl-2:0'],
  ['beyond the end', 'chatcmpl-1:2'],
  ['that is no number', 'chatcmpl-1:x'],
  ['that is negative', 'chatcmpl-1:-1'],
  ['with a leading zero', 'chatcmpl-1:00'],
  ['that is empty', ''],
])('an id %s is refused, running and stored', async (_, lastEventId) => {
  const { send, insert } = await open()
  const half = respondInHalves(insert)
  const first = await send({ execute: half.execute })
  await expect(send({ lastEventId })).rejects.toMatchObject({ errorName: 'stream_not_resumable' })
  half.more.resolve()
  await receive(first)
  await expect(send({ lastEventId })).rejects.toMatchObject({ errorName: 'stream_not_resumable' })
  expect(await receive(await send())).toEqual(['a', 'b'])
})

test('all subscribers receive a failure, and the next request is executed again', async () => {
  const { send, insert, catcher } = await open()
  const half = respondInHalves(insert)
  const subscriptions = [await send({ execute: half.execute }), await send()]
  const received = Promise.allSettled(subscriptions.map(receive))
  half.more.reject(new Error('broken'))
  expect((await received).map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
    'Error: broken',
    'Error: broken',
  ])
  expect((await send()).replayed).toBe(false)
  expect(catcher.lines).toEqual([])
})

test('a failure without subscribers is logged', async () => {
  const { send, insert, catcher } = await open()
  const half = respondInHalves(insert)
  const first = await send({ execute: half.execute })
  first.close()
  half.more.reject(new Error('broken'))
  expect(await catcher.logged({ event: 'unattended_answer_failed' })).toMatchObject({ requestId: 'req_1' })
})

test('without subscribers a response runs for the grace period and is then aborted', async () => {
  const { send, clock, insert } = await open()
  const half = respondInHalves(insert)
  const first = await send({ execute: half.execute })
  first.close()
  clock.advance(29_999)
  const second = await send()
  expect(second.replayed).toBe(true)
  clock.advance(60_000)
  expect(half.signal()?.aborted).toBe(false)
  second.close()
  clock.advance(30_000)
  expect(half.signal()?.reason).toEqual(new Error('abandoned'))
})

test('a request that arrives while an abandoned response ends starts a new one', async () => {
  const { send, insert } = await open({ resumeGraceMs: 0 })
  const half = respondInHalves(insert)
  const first = await send({ execute: half.execute })
  first.close()
  expect(half.signal()?.aborted).toBe(true)
  const next = await send()
  expect(next.replayed).toBe(false)
  expect(await receive(next)).toEqual(['a', 'b'])
})

test('subscribers receive the end once the response is stored', async () => {
  const { send, insert } = await open()
  const durable = Promise.withResolvers<void>()
  const insertLater = (record: ReplayRecord) => durable.promise.then(() => insert(record))
  const received = receive(await send({ execute: respond(insertLater, 'a') }))
  expect(await Promise.race([received, turns().then(() => 'pending')])).toBe('pending')
  durable.resolve()
  expect(await received).toEqual(['a'])
})

test('if the settlement cannot be written, the end is sent after a while, and the response is replayed from memory', async () => {
  const { send, clock, insert, stored, lookups } = await open()
  const durable = Promise.withResolvers<void>()
  const insertLater = (record: ReplayRecord) => durable.promise.then(() => insert(record))
  const received = receive(await send({ execute: respond(insertLater, 'a') }))
  await clock.awaited(endWaitMs)
  clock.advance(endWaitMs)
  expect(await received).toEqual(['a'])
  const again = await send()
  expect(again.replayed).toBe(true)
  expect(await receive(again)).toEqual(['a'])
  expect(lookups()).toBe(1)
  durable.resolve()
  await turns()
  expect(stored).toHaveLength(1)
})

test('a response that is complete but not yet stored is not aborted, with or without subscribers', async () => {
  const { replays, send, clock, insert } = await open()
  const durable = Promise.withResolvers<void>()
  const insertLater = (record: ReplayRecord) => durable.promise.then(() => insert(record))
  const first = await send({ execute: respond(insertLater, 'a') })
  await clock.awaited(endWaitMs)
  replays.abortAll(ApiError.of('revoked_api_key', { key: 'key_1' }))
  first.close()
  clock.advance(60_000)
  const again = await send()
  expect(again.replayed).toBe(true)
  expect(await receive(again)).toEqual(['a'])
  durable.resolve()
})

test('of a response that was too long only the fact that it was sent is stored', async () => {
  const { send, insert, stored } = await open({ replayAnswerLimitBytes: 10 })
  expect(await receive(await send({ execute: respond(insert, 'long', 'longer', 'longest') }))).toEqual([
    'long',
    'longer',
    'longest',
  ])
  await turns()
  expect(stored).toMatchObject([{ content: '' }])
  await expect(send()).rejects.toMatchObject({ errorName: 'answer_not_kept', status: 409 })
  await expect(send({ bodyHash: bodyHash({ n: 2 }) })).rejects.toMatchObject({ errorName: 'idempotency_key_reuse' })
})

test('a request is refused before it is executed if memory is full, and accepted once there is space', async () => {
  const { send, insert } = await open({ replayMemoryLimitBytes: 20_000 })
  const half = respondInHalves(insert)
  const first = await send({ execute: half.execute })
  const refused = { errorName: 'replay_buffer_full', options: { retryAfterMs: 1000 } }
  await expect(send({ idempotencyKey: 'other' })).rejects.toMatchObject(refused)
  half.more.resolve()
  await receive(first)
  await turns()
  expect((await send({ idempotencyKey: 'other' })).replayed).toBe(false)
})

test('a replay is refused if memory is full', async () => {
  const { send, insert } = await open({ replayMemoryLimitBytes: 40_000 })
  const long = 'x'.repeat(30_000)
  await receive(await send({ execute: respond(insert, long) }))
  await turns()
  const other = await send({ idempotencyKey: 'other', execute: respondInHalves(insert).execute })
  await expect(send()).rejects.toMatchObject({ errorName: 'replay_buffer_full' })
  other.close()
})

test('a request is refused while the disk is full, until something has expired; replays are not', async () => {
  const { send, insert, clock } = await open({ replayDiskLimitBytes: 50_000 })
  await receive(await send({ execute: respond(insert, 'x'.repeat(40_000)) }))
  await turns()
  const refused = { errorName: 'replay_buffer_full', options: { retryAfterMs: 60_000 } }
  await expect(send({ idempotencyKey: 'other' })).rejects.toMatchObject(refused)
  expect((await receive(await send()))[0]).toHaveLength(40_000)
  clock.advance(24 * 3_600_000)
  await turns()
  expect((await send({ idempotencyKey: 'other' })).replayed).toBe(false)
})

test('aborting ends running responses with the error, and then nothing is running', async () => {
  const { replays, send, insert } = await open()
  const first = await send({ execute: respondInHalves(insert).execute })
  const idle = replays.idle().then(() => 'idle')
  expect(await Promise.race([idle, turns()])).toBeUndefined()
  replays.abortAll(ApiError.of('shutting_down', {}))
  await expect(receive(first)).rejects.toMatchObject({ errorName: 'shutting_down' })
  expect(await idle).toBe('idle')
  await replays.close()
})

test('if the store fails, all waiting requests fail, and the next one tries again', async () => {
  const store = createRecords()
  let broken = true
  const find: ReplayRecords['find'] = async (...wanted) => {
    if (broken) throw new Error('the disk is gone')
    return store.records.find(...wanted)
  }
  const { send } = await open({ records: { ...store.records, find } })
  const both = await Promise.allSettled([send(), send()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  broken = false
  expect((await send()).replayed).toBe(false)
})

test('a key can be used again after the store was away when it was claimed or released', async () => {
  const claims = createLocalClaims()
  let isAway = false
  const unless = async <Value>(work: Promise<Value>): Promise<Value> => {
    const value = await work
    // What was asked has been done, but the answer is lost.
    if (isAway) throw new Error('the store is away')
    return value
  }
  const shaky = { ...claims, claim: (...args: Parameters<typeof claims.claim>) => unless(claims.claim(...args)) }
  const late = { requestId: 'req_late', completionId: 'chatcmpl-late', bodyHash: Uint8Array.of(1), stream: true }
  const { send, clock, insert, catcher } = await open({ shared: { claims: shaky, events: noEvents } })
  isAway = true
  await expect(send()).rejects.toThrow('the store is away')
  isAway = false
  expect(await claims.own()).toMatchObject([{ requestId: 'req_1' }])
  clock.advance(1_000)
  await turns()
  expect(await claims.own()).toEqual([])
  // A statement that was cut off arrives late.
  await claims.claim({ organisationId: 'org_1', keyHash: Uint8Array.of(1) }, late)
  clock.advance(10_000)
  await turns()
  expect(await claims.own()).toEqual([])

  const release = claims.release
  shaky.release = () => Promise.reject(new Error('the store is away'))
  const failing = await send({ execute: () => Promise.reject(ApiError.of('engine_failed', {})) })
  await expect(receive(failing)).rejects.toMatchObject({ errorName: 'engine_failed' })
  await turns()
  await catcher.logged({ event: 'claim_not_released' })
  shaky.release = release
  clock.advance(1_000)
  await turns()
  const again = await send({ execute: respond(insert, 'a') })
  expect(again.replayed).toBe(false)
  expect(await receive(again)).toEqual(['a'])
})

test('what other nodes have stored counts towards the disk limit after a minute', async () => {
  const shared = { claims: createLocalClaims(), events: noEvents }
  const { send, clock, stored } = await open({ shared, replayDiskLimitBytes: 100_000 })
  const first = await send()
  await receive(first)
  const [record] = stored
  if (record === undefined) throw new Error('it was stored')
  stored.push({ ...record, keyHash: Uint8Array.of(1), content: 'x'.repeat(90_000) })
  await receive(await send({ idempotencyKey: 'uncounted' }))
  clock.advance(60_000)
  await turns()
  await expect(send({ idempotencyKey: 'counted' })).rejects.toMatchObject({ errorName: 'replay_buffer_full' })
  expect((await send()).replayed).toBe(true)
})
