import { expect, test } from 'vitest'
import { eventOf } from '../../test/harness/account-records.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { openScratchStore, scratchDirectory } from '../../test/harness/scratch-store.ts'
import { newId } from '../base/ids.ts'
import type { Models } from '../models/contract.ts'
import { recordBackup } from '../store/last-backup.ts'
import type { EndpointRecord } from '../store/webhook-contract.ts'
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import { allEventTypes } from './event-types.ts'
import { createRaiseEvent } from './raise-events.ts'
import { createServerWatch, type WatchServerDependencies } from './watch-server.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const minuteMs = 60_000
const dayMs = 86_400_000

type Shown = ReturnType<UpstreamRegistry['list']>[number]
/** What is looked at of an upstream and of a model. */
const upstreamIn = (state: string, pauseReason: string | null = null): Shown =>
  ({ name: 'gpu', state, pauseReason, lastCheck: null }) as Shown
const modelIn = (state: string) =>
  ({ model: { id: 'helix-v1' }, status: () => ({ state, reason: 'no memory' }) }) as ReturnType<Models['list']>[number]

/** A store that somebody is told of everything from, and a server on which nothing is wrong unless the test says so. */
const open = async (changes: Partial<WatchServerDependencies> = {}) => {
  const directory = scratchDirectory()
  const clock = createManualClock()
  const store = await openScratchStore(directory.path, clock)
  const { webhooks: records } = store
  const endpoint: EndpointRecord = {
    ...{ id: newId('whk'), organisationId: null, channel: 'webhook', url: 'https://example.com/', description: '' },
    ...{ events: allEventTypes, sealedSecret: 'sealed', sealedPrevious: null, previousUntil: null },
    ...{ isEnabled: true, createdAt: 1 },
  }
  await records.insert(endpoint, 3, eventOf('webhook.added'))
  const look = createServerWatch({
    ...{ records, models: { list: () => [] }, upstreams: { list: () => [] }, nodes: null, nodeName: 'alpha' },
    ...{ directory: directory.path, leastFreeBytes: 0, backupMaxAgeMs: 2 * dayMs, certificateEndsAt: () => null },
    ...{ raise: createRaiseEvent({ records, clock, log: silent, onRaised() {} }), clock, log: silent },
    ...changes,
  })
  return {
    clock,
    directory: directory.path,
    look,
    /** Looks again and again for so long. */
    async lookFor(ms: number) {
      for (let passedMs = 0; passedMs < ms; passedMs += minuteMs) {
        clock.advance(minuteMs)
        await look()
      }
    },
    /** Oldest first. */
    told: async () =>
      (await records.deliveries(null, endpoint.id, null, 99))
        .map(({ event }) => ({ type: event.type, data: JSON.parse(event.data) }))
        .reverse(),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      directory[Symbol.dispose]()
    },
  }
}

test('where nothing is wrong, nothing is told', async () => {
  await using server = await open({ models: { list: () => [modelIn('ready')] } })
  await server.lookFor(30 * minuteMs)
  expect(await server.told()).toEqual([])
})

test('a certificate that ends soon is told of 14 and 3 days before, and when it has ended', async () => {
  let endsAt = 0
  await using server = await open({ certificateEndsAt: () => endsAt })
  endsAt = server.clock.now() + 20 * dayMs
  for (let day = 0; day < 22; day += 1) {
    await server.look()
    server.clock.advance(dayMs)
  }
  const ends = new Date(endsAt).toISOString()
  expect(await server.told()).toEqual(
    [14, 3, 0].map((days) => ({ type: 'certificate.expiring', data: { node: 'alpha', ends_at: ends, days } })),
  )
})

test('a disk with little space is told of once', async () => {
  await using server = await open({ leastFreeBytes: Number.MAX_SAFE_INTEGER })
  await server.lookFor(20 * minuteMs)
  expect(await server.told()).toEqual([
    { type: 'disk.low', data: { node: 'alpha', free_bytes: expect.any(Number) as number } },
  ])
})

test('a backup that is too old is told of, until there is a new one', async () => {
  await using server = await open()
  const { clock, directory } = server
  await server.look()
  const madeAt = clock.now()
  await recordBackup(directory, madeAt)
  clock.advance(2 * dayMs)
  await server.look()
  expect(await server.told()).toEqual([])
  await server.lookFor(20 * minuteMs)
  expect(await server.told()).toEqual([
    { type: 'backup.overdue', data: { last_backup_at: new Date(madeAt).toISOString() } },
  ])
  await recordBackup(directory, clock.now())
  await server.lookFor(20 * minuteMs)
  expect(await server.told()).toHaveLength(1)
})

test('a clock that differs from that of the database is told of, whichever is ahead', async () => {
  let skewMs = 2_000
  await using server = await open({ nodes: { databaseNow: async () => server.clock.now() - skewMs } })
  await server.look()
  expect(await server.told()).toEqual([])
  skewMs = -5_000
  await server.look()
  expect(await server.told()).toEqual([{ type: 'clock.skewed', data: { node: 'alpha', skew_ms: -5_000 } }])
})

test('an upstream that fails is told of, and again once it has worked for 15 minutes', async () => {
  let shown = [upstreamIn('paused', 'busy')]
  await using server = await open({ upstreams: { list: () => shown } })
  await server.look()
  expect(await server.told()).toEqual([])
  shown = [upstreamIn('paused', 'failing')]
  await server.lookFor(20 * minuteMs)
  shown = [upstreamIn('active')]
  await server.lookFor(14 * minuteMs)
  expect(await server.told()).toEqual([{ type: 'upstream.down', data: { upstream: 'gpu', reason: 'failing' } }])
  await server.lookFor(10 * minuteMs)
  expect((await server.told()).slice(1)).toEqual([{ type: 'upstream.recovered', data: { upstream: 'gpu' } }])
})

test('an upstream that is removed has not recovered', async () => {
  let shown = [upstreamIn('failing')]
  await using server = await open({ upstreams: { list: () => shown } })
  await server.look()
  shown = []
  await server.lookFor(30 * minuteMs)
  expect((await server.told()).map(({ type }) => type)).toEqual(['upstream.down'])
})

test('a model that fails, or does not get loaded, is told of, and again once it has run for 15 minutes', async () => {
  let state = 'loading'
  await using server = await open({ models: { list: () => [modelIn(state)] } })
  await server.lookFor(5 * minuteMs)
  expect(await server.told()).toEqual([])
  await server.lookFor(2 * minuteMs)
  state = 'ready'
  await server.lookFor(20 * minuteMs)
  expect(await server.told()).toEqual([
    { type: 'engine.down', data: { node: 'alpha', model: 'helix-v1', state: 'loading', reason: 'no memory' } },
    { type: 'engine.recovered', data: { node: 'alpha', model: 'helix-v1' } },
  ])
})

test('a look that fails does not hide the others', async () => {
  const nodes = { databaseNow: () => Promise.reject(new Error('away')) }
  await using server = await open({ nodes, upstreams: { list: () => [upstreamIn('failing')] }, directory: '/nowhere' })
  await server.look()
  expect((await server.told()).map(({ type }) => type)).toEqual(['upstream.down'])
})
