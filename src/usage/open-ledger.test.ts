import { expect, test } from 'vitest'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import type { ProgressCheckpoint, ReservationRecord, Settlement } from '../store/ledger-contract.ts'
import type { ReplayRecord } from '../store/replay-contract.ts'
import type { Ending } from './ledger-contract.ts'
import { openLedger } from './open-ledger.ts'

type Call =
  | { name: 'reserve'; ids: string[] }
  | { name: 'checkpoint'; checkpoints: readonly ProgressCheckpoint[] }
  | { name: 'settle'; settlements: readonly Settlement[]; replays: readonly ReplayRecord[] }

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
/** A few turns: for whatever is still on its way when the store answers at once. */
const quiet = async (): Promise<void> => {
  for (let turns = 0; turns < 5; turns += 1) await turn()
}

/** A ledger over a store that only writes down what it was asked. */
const openTried = async ({ recovered = 0 } = {}) => {
  const clock = createManualClock(Date.UTC(2001, 10, 15, 20))
  const catcher = createLogCatcher({ clock, format: 'json' })
  const calls: Call[] = []
  const disk = { isFull: false, refused: new Set<string>(), wait: Promise.resolve() }
  const write = async (call: Call): Promise<void> => {
    calls.push(call)
    await disk.wait
    if (disk.isFull) throw new Error('the disk is full')
  }
  const ledger = await openLedger({
    records: {
      reserve: (reservations) => write({ name: 'reserve', ids: reservations.map(({ requestId }) => requestId) }),
      checkpoint: (checkpoints) => write({ name: 'checkpoint', checkpoints }),
      async settle(settlements, replays) {
        await write({ name: 'settle', settlements, replays })
        if (settlements.some(({ requestId }) => disk.refused.has(requestId))) throw new Error('refused')
        return settlements.length
      },
      recover: async () => recovered,
      find: async () => null,
      replaceGuess: async () => null,
    },
    clock,
    timeZone: 'Asia/Tokyo',
    log: catcher.log,
  })
  const take = (): Call[] => calls.splice(0)
  return { ledger, clock, disk, take, ...catcher }
}

const reservation = (requestId: string): ReservationRecord => ({
  requestId,
  organisationId: 'org_a',
  keyId: 'key_a',
  model: 'm',
  endpoint: 'chat.completions',
  stream: true,
  reservedTokens: 100,
  price: null,
  reservedMicros: null,
  limits: null,
  createdAt: 1,
})
const counts = (promptTokens: number, completionTokens = 0) => ({
  promptTokens,
  cachedTokens: 0,
  completionTokens,
  reasoningTokens: 0,
  isEstimated: false,
})
const completed: Ending = {
  outcome: 'completed',
  finishReason: 'stop',
  error: null,
  queueMs: 1,
  firstTokenMs: 2,
  durationMs: 3,
}

test('concurrent requests are reserved in one call', async () => {
  const { ledger, take } = await openTried()
  await Promise.all(['req_a', 'req_b', 'req_c'].map((id) => ledger.reserve(reservation(id))))
  await ledger.reserve(reservation('req_d'))
  expect(take()).toEqual([
    { name: 'reserve', ids: ['req_a', 'req_b', 'req_c'] },
    { name: 'reserve', ids: ['req_d'] },
  ])
})

test('a request that cannot be reserved is refused, and the next one is tried again', async () => {
  const { ledger, disk } = await openTried()
  disk.isFull = true
  await expect(ledger.reserve(reservation('req_a'))).rejects.toMatchObject({
    errorName: 'ledger_unavailable',
    options: { retryAfterMs: 1000 },
  })
  disk.isFull = false
  await ledger.reserve(reservation('req_b'))
})

test('changed requests are checkpointed in one call twice a second, and no others', async () => {
  const { ledger, clock, take } = await openTried()
  const [a, b] = await Promise.all([ledger.reserve(reservation('req_a')), ledger.reserve(reservation('req_b'))])
  await ledger.reserve(reservation('req_c'))
  take()
  a.count(counts(10))
  a.count(counts(10, 3))
  b.count(counts(7))
  clock.advance(500)
  await quiet()
  expect(take()).toEqual([
    {
      name: 'checkpoint',
      checkpoints: [
        { requestId: 'req_a', ...counts(10, 3) },
        { requestId: 'req_b', ...counts(7) },
      ],
    },
  ])
  clock.advance(500)
  await quiet()
  expect(take()).toEqual([])
  b.count(counts(7, 1))
  clock.advance(500)
  await quiet()
  expect(take()).toEqual([{ name: 'checkpoint', checkpoints: [{ requestId: 'req_b', ...counts(7, 1) }] }])
})

test('a slow store gets one checkpoint at a time, and the next as soon as the last is written', async () => {
  const { ledger, clock, disk, take } = await openTried()
  const entry = await ledger.reserve(reservation('req_a'))
  take()
  const slow = Promise.withResolvers<void>()
  disk.wait = slow.promise
  entry.count(counts(1))
  clock.advance(500)
  entry.count(counts(1, 1))
  clock.advance(1000)
  await quiet()
  expect(take()).toHaveLength(1)
  slow.resolve()
  await quiet()
  expect(take()).toEqual([{ name: 'checkpoint', checkpoints: [{ requestId: 'req_a', ...counts(1, 1) }] }])
})

test('without running requests there is no timer', async () => {
  const { ledger, clock, take } = await openTried()
  const entry = await ledger.reserve(reservation('req_a'))
  await entry.settle(completed).durable
  clock.advance(500)
  expect(clock.pending()).toBe(0)
  take()
  await ledger.reserve(reservation('req_b'))
  expect(clock.pending()).toBe(1)
})

test('a request is settled at the price of its reservation, rounded up once', async () => {
  const { ledger, take } = await openTried()
  const price = { promptMicros: 300_000, cachedMicros: 50_000, completionMicros: 1_200_000 }
  const entry = await ledger.reserve({ ...reservation('req_a'), price, reservedMicros: 123 })
  take()
  entry.count({ promptTokens: 10, cachedTokens: 4, completionTokens: 3, reasoningTokens: 0 })
  await entry.settle(completed).durable
  // 6 × 0.3 + 4 × 0.05 + 3 × 1.2
  expect(take()).toMatchObject([{ settlements: [{ costMicros: 6 }] }])
})

test('a request is settled once, with its counts, on the day of the time zone', async () => {
  const { ledger, clock, take } = await openTried()
  const entry = await ledger.reserve(reservation('req_a'))
  take()
  entry.count(counts(10, 4))
  const replay: ReplayRecord = {
    organisationId: 'org_a',
    keyHash: Uint8Array.of(1),
    bodyHash: Uint8Array.of(2),
    completionId: 'chatcmpl-a',
    requestId: 'req_a',
    stream: false,
    content: '{}',
    createdAt: 1,
    expiresAt: 2,
  }
  await Promise.all([
    entry.settle(completed, replay).durable,
    entry.settle({ ...completed, outcome: 'failed' }).durable,
  ])
  entry.count(counts(10, 5))
  clock.advance(2000)
  await quiet()
  expect(take()).toEqual([
    {
      name: 'settle',
      settlements: [
        {
          ...{ requestId: 'req_a', ...counts(10, 4), costMicros: null },
          ...{ ...completed, endedAt: clock.now() - 2000, day: 20011116 },
        },
      ],
      replays: [replay],
    },
  ])
})

test('requests that end together are settled in one call', async () => {
  const { ledger, take } = await openTried()
  const entries = await Promise.all(['req_a', 'req_b'].map((id) => ledger.reserve(reservation(id))))
  take()
  await Promise.all(entries.map((entry) => entry.settle(completed).durable))
  expect(take()).toMatchObject([{ settlements: [{ requestId: 'req_a' }, { requestId: 'req_b' }] }])
})

test('settlements that fail are kept and retried every second, and one by one if that fails again', async () => {
  const { ledger, clock, disk, take, lines } = await openTried()
  const entries = await Promise.all(['req_a', 'req_b'].map((id) => ledger.reserve(reservation(id))))
  take()
  disk.isFull = true
  let settled = 0
  const all = entries.map((entry) => entry.settle(completed).durable.then(() => (settled += 1)))
  await quiet()
  clock.advance(1000)
  await quiet()
  expect(take().map((call) => 'settlements' in call && call.settlements.length)).toEqual([2, 2, 1, 1])
  expect(settled).toBe(0)
  disk.isFull = false
  disk.refused.add('req_a')
  clock.advance(1000)
  await quiet()
  expect(settled).toBe(1)
  disk.refused.clear()
  take()
  clock.advance(1000)
  await Promise.all(all)
  expect(take()).toMatchObject([{ settlements: [{ requestId: 'req_a' }] }])
  clock.advance(10_000)
  await quiet()
  expect(take()).toEqual([])
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(['ledger_write_failed', 'ledger_write_recovered'])
})

test('closing waits for requests that are ending, and writes everything', async () => {
  const { ledger, clock, take } = await openTried()
  const entry = await ledger.reserve(reservation('req_a'))
  entry.count(counts(5, 2))
  take()
  const closed = ledger.close()
  await quiet()
  expect(take()).toEqual([])
  entry.settle({ ...completed, outcome: 'client_closed' })
  await closed
  expect(take()).toMatchObject([{ settlements: [{ outcome: 'client_closed', completionTokens: 2 }] }])
  clock.advance(500)
  expect(clock.pending()).toBe(0)
})

test('requests that do not end in time are settled by the shutdown', async () => {
  const { ledger, clock, take } = await openTried()
  const entry = await ledger.reserve(reservation('req_a'))
  entry.count(counts(5))
  take()
  const closed = ledger.close()
  await clock.awaited(2000)
  clock.advance(2000)
  await closed
  await entry.settle(completed).durable
  expect(take().filter(({ name }) => name === 'settle')).toMatchObject([
    { settlements: [{ outcome: 'failed', error: 'shutting_down', promptTokens: 5 }] },
  ])
})

test('settlements that fail even then are logged, and closing finishes anyway', async () => {
  const { ledger, disk, lines } = await openTried()
  const entry = await ledger.reserve(reservation('req_a'))
  disk.isFull = true
  entry.settle(completed)
  await ledger.close()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'ledger_write_failed', what: 'settlements' },
    { event: 'ledger_unsettled', requests: 1 },
  ])
})

test('the log says how many requests a crashed server left open', async () => {
  expect((await openTried()).lines).toEqual([])
  const { lines } = await openTried({ recovered: 3 })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'ledger_recovered', level: 'warn', requests: 3 },
  ])
})

test('the lag of the ledger is the age of the oldest record that could not be written', async () => {
  const { ledger, clock, disk } = await openTried()
  const [one, other] = [await ledger.reserve(reservation('req_1')), await ledger.reserve(reservation('req_2'))]
  expect(ledger.lagMs).toBe(0)
  disk.isFull = true
  one.settle(completed)
  await quiet()
  clock.advance(400)
  other.settle(completed)
  await quiet()
  clock.advance(300)
  expect([ledger.unwritten, ledger.lagMs]).toEqual([2, 700])
  disk.isFull = false
  clock.advance(300)
  await expect.poll(() => [ledger.unwritten, ledger.lagMs]).toEqual([0, 0])
})
