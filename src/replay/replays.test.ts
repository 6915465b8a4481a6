import { expect, test } from 'vitest'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { ApiError } from '../base/api-error.ts'
import type { ReplayRecord, ReplayRecords } from '../store/ledger-contract.ts'
import { bodyHash } from './body-hash.ts'
import { endWaitMs, type Recorder } from './recorder.ts'
import type { Subscription } from './recording.ts'
import { type Ask, openReplays, type ReplaysOptions } from './replays.ts'

const never = new AbortController().signal

/** What a store does, without one. */
const createRecords = () => {
  const kept: ReplayRecord[] = []
  let lookups = 0
  const records: ReplayRecords = {
    has: async (...asked) => (await records.find(...asked)) !== null,
    async find(organisationId, keyHash, now) {
      lookups += 1
      const found = kept.findLast(
        (one) => one.organisationId === organisationId && Buffer.compare(one.keyHash, keyHash) === 0,
      )
      return found !== undefined && found.expiresAt > now ? found : null
    },
    async removeExpired(now) {
      const expired = kept.filter(({ expiresAt }) => expiresAt <= now)
      for (const one of expired) kept.splice(kept.indexOf(one), 1)
      return expired.length
    },
    bytes: async () => {
      const sums = new Map<string, number>()
      for (const { organisationId, content } of kept)
        sums.set(organisationId, (sums.get(organisationId) ?? 0) + Buffer.byteLength(content))
      return sums
    },
  }
  return { records, kept, keep: async (record: ReplayRecord) => void kept.push(record), lookups: () => lookups }
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
    replayRetentionHours: 24,
    replayAnswerLimitBytes: 100_000,
    replayMemoryLimitBytes: 1_000_000,
    replayDiskLimitBytes: 1_000_000,
    abandoned: () => new Error('nobody listens'),
    ...options,
  })
  let runs = 0
  const ask = (more: Partial<Ask> = {}): Promise<Subscription> => {
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
      mostBytes: 16_384,
      run: say(store.keep, 'a', 'b'),
      ...more,
    })
  }
  return { replays, clock, ask, catcher, ...store }
}
type Keep = (record: ReplayRecord) => Promise<void>
const say =
  (keep: Keep, ...events: string[]) =>
  async ({ append, end }: Recorder): Promise<void> => {
    for (const data of events) await append(data, never)
    await end([], keep)
  }
/** Says 'a', then waits until it is told to go on, and says 'b'. */
const sayHalf = (keep: Keep) => {
  const more = Promise.withResolvers<void>()
  const signals: AbortSignal[] = []
  const run = async ({ append, end, signal }: Recorder): Promise<void> => {
    signals.push(signal)
    signal.addEventListener('abort', () => more.reject(signal.reason))
    await append('a', signal)
    await more.promise
    await append('b', signal)
    await end([], keep)
  }
  return { run, more, signal: () => signals[0] }
}
const hear = async (telling: Subscription): Promise<string[]> => {
  try {
    return await Array.fromAsync(telling.events(never), ({ data }) => data)
  } finally {
    telling.close()
  }
}
const turns = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the second of two at the same instant hears the answer of the first', async () => {
  const { ask, kept, lookups } = await open()
  const tellings = await Promise.all([ask(), ask(), ask()])
  expect(tellings.map(({ replayed }) => replayed)).toEqual([false, true, true])
  expect(await Promise.all(tellings.map(hear))).toEqual([
    ['a', 'b'],
    ['a', 'b'],
    ['a', 'b'],
  ])
  expect(kept).toHaveLength(1)
  expect(lookups()).toBe(1)
})

test('later it is told from the store, until it expires', async () => {
  const { ask, clock, kept } = await open()
  await hear(await ask())
  clock.advance(24 * 3_600_000 - 1)
  const again = await ask({ run: () => Promise.reject(new Error('must not run')) })
  expect(again.replayed).toBe(true)
  expect(await hear(again)).toEqual(['a', 'b'])
  clock.advance(1)
  expect((await ask()).replayed).toBe(false)
  await turns()
  clock.advance(3_600_000)
  await turns()
  expect(kept).toMatchObject([{ completionId: 'chatcmpl-3' }])
})

test('another body under the same key is refused, while the answer runs and when it is kept', async () => {
  const { ask, keep } = await open()
  const half = sayHalf(keep)
  const first = await ask({ run: half.run })
  await expect(ask({ bodyHash: bodyHash({ n: 2 }) })).rejects.toMatchObject({ errorName: 'idempotency_key_reuse' })
  half.more.resolve()
  await hear(first)
  await expect(ask({ bodyHash: bodyHash({ n: 2 }) })).rejects.toMatchObject({ errorName: 'idempotency_key_reuse' })
  expect((await ask()).replayed).toBe(true)
})

test('the same key of another organisation is another key', async () => {
  const { ask } = await open()
  await hear(await ask())
  expect((await ask({ organisationId: 'org_2' })).replayed).toBe(false)
})

test('who asks with the wrong body does not take the answer from those who asked at the same instant', async () => {
  const { ask } = await open()
  await hear(await ask())
  const [wrong, right] = await Promise.allSettled([ask({ bodyHash: bodyHash({ n: 2 }) }), ask()])
  expect(wrong).toMatchObject({ status: 'rejected', reason: { errorName: 'idempotency_key_reuse' } })
  expect(right).toMatchObject({ status: 'fulfilled', value: { replayed: true } })
})

test('an id of an answer that nobody knows starts none', async () => {
  const { ask, kept } = await open()
  const [behind, fresh] = await Promise.allSettled([ask({ lastEventId: 'chatcmpl-9:3' }), ask()])
  expect(behind).toMatchObject({ status: 'rejected', reason: { errorName: 'stream_not_resumable' } })
  expect(fresh).toMatchObject({ status: 'fulfilled', value: { replayed: false } })
  await turns()
  expect(kept).toHaveLength(1)
})

test.each([
  ['the first event', 'chatcmpl-1:0', ['b']],
  ['the last event', 'chatcmpl-1:1', []],
])('goes on behind %s, live and kept', async (_, lastEventId, rest) => {
  const { ask, keep } = await open()
  const half = sayHalf(keep)
  const first = await ask({ run: half.run })
  half.more.resolve()
  await turns()
  const live = await ask({ lastEventId })
  expect(await hear(live)).toEqual(rest)
  await hear(first)
  expect(await hear(await ask({ lastEventId }))).toEqual(rest)
})

test.each([
  ['of another answer', 'chatcmpl-2:0'],
  ['beyond the end', 'chatcmpl-1:2'],
  ['that is no number', 'chatcmpl-1:x'],
  ['that is negative', 'chatcmpl-1:-1'],
  ['with a leading zero', 'chatcmpl-1:00'],
  ['that is empty', ''],
])('an id %s is refused, live and kept', async (_, lastEventId) => {
  const { ask, keep } = await open()
  const half = sayHalf(keep)
  const first = await ask({ run: half.run })
  await expect(ask({ lastEventId })).rejects.toMatchObject({ errorName: 'stream_not_resumable' })
  half.more.resolve()
  await hear(first)
  await expect(ask({ lastEventId })).rejects.toMatchObject({ errorName: 'stream_not_resumable' })
  expect(await hear(await ask())).toEqual(['a', 'b'])
})

test('a failure is told to all who listen, and not remembered', async () => {
  const { ask, keep, catcher } = await open()
  const half = sayHalf(keep)
  const tellings = [await ask({ run: half.run }), await ask()]
  const heard = Promise.allSettled(tellings.map(hear))
  half.more.reject(new Error('broken'))
  expect((await heard).map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
    'Error: broken',
    'Error: broken',
  ])
  expect((await ask()).replayed).toBe(false)
  expect(catcher.lines).toEqual([])
})

test('a failure that nobody hears is logged', async () => {
  const { ask, keep, catcher } = await open()
  const half = sayHalf(keep)
  const first = await ask({ run: half.run })
  first.close()
  half.more.reject(new Error('broken'))
  expect(await catcher.logged({ event: 'unheard_answer_failed' })).toMatchObject({ requestId: 'req_1' })
})

test('goes on for the time of grace without a listener, and is told to end then', async () => {
  const { ask, clock, keep } = await open()
  const half = sayHalf(keep)
  const first = await ask({ run: half.run })
  first.close()
  clock.advance(29_999)
  const second = await ask()
  expect(second.replayed).toBe(true)
  clock.advance(60_000)
  expect(half.signal()?.aborted).toBe(false)
  second.close()
  clock.advance(30_000)
  expect(half.signal()?.reason).toEqual(new Error('nobody listens'))
})

test('who comes while an abandoned answer ends gets a new one', async () => {
  const { ask, keep } = await open({ resumeGraceMs: 0 })
  const half = sayHalf(keep)
  const first = await ask({ run: half.run })
  first.close()
  expect(half.signal()?.aborted).toBe(true)
  const next = await ask()
  expect(next.replayed).toBe(false)
  expect(await hear(next)).toEqual(['a', 'b'])
})

test('the end is told once the answer is kept', async () => {
  const { ask, keep } = await open()
  const durable = Promise.withResolvers<void>()
  const held = (record: ReplayRecord) => durable.promise.then(() => keep(record))
  const heard = hear(await ask({ run: say(held, 'a') }))
  expect(await Promise.race([heard, turns().then(() => 'not yet')])).toBe('not yet')
  durable.resolve()
  expect(await heard).toEqual(['a'])
})

test('when the settlement cannot be written the end is not held back for ever, and the answer stays in memory', async () => {
  const { ask, clock, keep, kept, lookups } = await open()
  const durable = Promise.withResolvers<void>()
  const held = (record: ReplayRecord) => durable.promise.then(() => keep(record))
  const heard = hear(await ask({ run: say(held, 'a') }))
  await clock.awaited(endWaitMs)
  clock.advance(endWaitMs)
  expect(await heard).toEqual(['a'])
  const again = await ask()
  expect(again.replayed).toBe(true)
  expect(await hear(again)).toEqual(['a'])
  expect(lookups()).toBe(1)
  durable.resolve()
  await turns()
  expect(kept).toHaveLength(1)
})

test('an answer that is all there but not yet on disk is not given up when nobody listens', async () => {
  const { ask, clock, keep } = await open()
  const durable = Promise.withResolvers<void>()
  const held = (record: ReplayRecord) => durable.promise.then(() => keep(record))
  const first = await ask({ run: say(held, 'a') })
  await clock.awaited(endWaitMs)
  first.close()
  clock.advance(60_000)
  const again = await ask()
  expect(again.replayed).toBe(true)
  expect(await hear(again)).toEqual(['a'])
  durable.resolve()
})

test('an answer that was too long is remembered, but not its text', async () => {
  const { ask, keep, kept } = await open({ replayAnswerLimitBytes: 10 })
  expect(await hear(await ask({ run: say(keep, 'long', 'longer', 'longest') }))).toEqual(['long', 'longer', 'longest'])
  await turns()
  expect(kept).toMatchObject([{ content: '' }])
  await expect(ask()).rejects.toMatchObject({ errorName: 'answer_not_kept', status: 409 })
  await expect(ask({ bodyHash: bodyHash({ n: 2 }) })).rejects.toMatchObject({ errorName: 'idempotency_key_reuse' })
})

test('no room in memory: refused before the work, and free again after it', async () => {
  const { ask, keep } = await open({ replayMemoryLimitBytes: 20_000 })
  const half = sayHalf(keep)
  const first = await ask({ run: half.run })
  const refused = { errorName: 'replay_buffer_full', options: { retryAfterMs: 1000 } }
  await expect(ask({ idempotencyKey: 'other' })).rejects.toMatchObject(refused)
  half.more.resolve()
  await hear(first)
  await turns()
  expect((await ask({ idempotencyKey: 'other' })).replayed).toBe(false)
})

test('no room in memory for a kept answer: refused until others have gone', async () => {
  const { ask, keep } = await open({ replayMemoryLimitBytes: 40_000 })
  const long = 'x'.repeat(30_000)
  await hear(await ask({ run: say(keep, long) }))
  await turns()
  const other = await ask({ idempotencyKey: 'other', run: sayHalf(keep).run })
  await expect(ask()).rejects.toMatchObject({ errorName: 'replay_buffer_full' })
  other.close()
})

test('no room on disk: refused before the work until something has expired, but what is kept is told', async () => {
  const { ask, keep, clock } = await open({ replayDiskLimitBytes: 50_000 })
  await hear(await ask({ run: say(keep, 'x'.repeat(40_000)) }))
  await turns()
  const refused = { errorName: 'replay_buffer_full', options: { retryAfterMs: 60_000 } }
  await expect(ask({ idempotencyKey: 'other' })).rejects.toMatchObject(refused)
  expect((await hear(await ask()))[0]).toHaveLength(40_000)
  clock.advance(24 * 3_600_000)
  await turns()
  expect((await ask({ idempotencyKey: 'other' })).replayed).toBe(false)
})

test('stopping: running answers end with the error, and then it is idle', async () => {
  const { replays, ask, keep } = await open()
  const first = await ask({ run: sayHalf(keep).run })
  const idle = replays.idle().then(() => 'idle')
  expect(await Promise.race([idle, turns()])).toBeUndefined()
  replays.abortAll(ApiError.of('shutting_down', {}))
  await expect(hear(first)).rejects.toMatchObject({ errorName: 'shutting_down' })
  expect(await idle).toBe('idle')
  await replays.close()
})

test('a store that cannot be asked fails all who wait for it, and the next one asks again', async () => {
  const store = createRecords()
  let broken = true
  const find: ReplayRecords['find'] = async (...asked) => {
    if (broken) throw new Error('the disk is gone')
    return store.records.find(...asked)
  }
  const { ask } = await open({ records: { ...store.records, find } })
  const both = await Promise.allSettled([ask(), ask()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  broken = false
  expect((await ask()).replayed).toBe(false)
})
