import { expect, test } from 'vitest'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { openLastUsed } from './last-used.ts'

type Batch = readonly { id: string; lastUsedAt: number }[]

const setUp = () => {
  const clock = createManualClock(0)
  const { log, logged } = createLogCatcher({ clock, format: 'json' })
  const batches: Batch[] = []
  let arrive = async (): Promise<void> => {}
  const records = {
    async touch(used: Batch) {
      batches.push(used)
      await arrive()
    },
  }
  const lastUsed = openLastUsed({ records, clock, log })
  return {
    ...{ clock, logged, batches, lastUsed },
    /** What happens to a batch on its way, from now on. */
    onWrite: (then: () => Promise<void>) => {
      arrive = then
    },
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

test('uses of a key are written once a minute, with the latest time', async () => {
  const { clock, batches, lastUsed, settled } = setUp()
  for (let second = 0; second < 150; second += 1) {
    lastUsed.touch('key_1')
    if (second === 20) lastUsed.touch('key_2')
    clock.advance(1_000)
    await settled()
  }
  expect(batches).toEqual([
    [
      { id: 'key_1', lastUsedAt: 59_000 },
      { id: 'key_2', lastUsedAt: 20_000 },
    ],
    [{ id: 'key_1', lastUsedAt: 119_000 }],
  ])
  expect(lastUsed.unwritten('key_1')).toBe(149_000)
  expect(lastUsed.unwritten('key_2')).toBeNull()
  await lastUsed.close()
  expect(batches[2]).toEqual([{ id: 'key_1', lastUsedAt: 149_000 }])
  expect(clock.pending()).toBe(0)
})

test('nothing is written without a use', async () => {
  const { clock, batches, lastUsed } = setUp()
  clock.advance(600_000)
  await lastUsed.close()
  expect(batches).toEqual([])
  expect(clock.pending()).toBe(0)
})

test('times remain known while their batch is written, and the next batch waits a minute', async () => {
  const { clock, batches, lastUsed, onWrite, settled } = setUp()
  const slow = Promise.withResolvers<void>()
  onWrite(() => slow.promise)
  lastUsed.touch('key_1')
  clock.advance(60_000)
  expect(lastUsed.unwritten('key_1')).toBe(0)
  lastUsed.touch('key_2')
  clock.advance(60_000)
  expect(batches).toHaveLength(1)
  slow.resolve()
  await settled()
  expect(lastUsed.unwritten('key_1')).toBeNull()
  clock.advance(59_999)
  expect(batches).toHaveLength(1)
  clock.advance(1)
  expect(batches[1]).toEqual([{ id: 'key_2', lastUsedAt: 60_000 }])
  await lastUsed.close()
})

test('times that could not be written are written with the next batch, unless newer ones replace them', async () => {
  const { clock, batches, lastUsed, onWrite, settled, logged } = setUp()
  const failing = Promise.withResolvers<void>()
  onWrite(() => failing.promise)
  lastUsed.touch('key_1')
  lastUsed.touch('key_2')
  clock.advance(60_000)
  lastUsed.touch('key_2')
  failing.reject(new Error('disk full'))
  await settled()
  expect(await logged({ event: 'last_used_not_written' })).toMatchObject({ keys: 2 })
  onWrite(async () => {})
  clock.advance(60_000)
  await settled()
  expect(batches[1]).toEqual([
    { id: 'key_1', lastUsedAt: 0 },
    { id: 'key_2', lastUsedAt: 60_000 },
  ])
  await lastUsed.close()
})
