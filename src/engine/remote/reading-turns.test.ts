import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReadingTurns, maxBytesAtOnce } from './reading-turns.ts'

const startTurns = () => {
  const scheduled: (() => void)[] = []
  const turns = createReadingTurns((run) => scheduled.push(run))
  const next = async (): Promise<void> => {
    for (const run of scheduled.splice(0)) run()
    await Promise.resolve()
  }
  return { turns, next }
}

test('streams of a tenant that send a lot take turns, in order', async () => {
  const { turns, next } = startTurns()
  const read: number[] = []
  for (let stream = 0; stream < 10; stream += 1) {
    const waited = turns.wait('one', 1_000_000)
    if (waited === undefined) read.push(stream)
    else void waited.then(() => read.push(stream))
  }
  for (let turn = 0; turn < 10; turn += 1) {
    expect(read).toEqual(Array.from({ length: turn + 1 }, (_, stream) => stream))
    await next()
  }
})

test('a token does not wait for streams that send a lot', () => {
  const { turns } = startTurns()
  for (let stream = 0; stream < 10; stream += 1) void turns.wait('one', 1_000_000)
  expect(turns.wait('other', 300)).toBeUndefined()
})

test('a fast stream waits for one stream of each other tenant, however many they have', async () => {
  const streams = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(streams, async (counts) => {
      const { turns, next } = startTurns()
      for (const [tenant, count] of counts.entries())
        for (let stream = 0; stream < count; stream += 1) void turns.wait(`flood ${tenant}`, 1_000_000)
      let isRead = turns.wait('newcomer', 5000)?.then(() => {
        isRead = undefined
      })
      for (let passed = 0; passed <= counts.length; passed += 1) await next()
      expect(isRead).toBeUndefined()
    }),
  )
})

test('nobody waits for ever, and no turn reads much more than its share', async () => {
  const arrival = fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 1, max: 100_000 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(arrival), { maxLength: 20 }), async (arrivals) => {
      const { turns, next } = startTurns()
      let readBytes = 0
      let waiting = 0
      const count = (bytes: number): void => {
        if (bytes > 2048) readBytes += Math.min(bytes, maxBytesAtOnce)
      }
      const wait = async (bytes: number, waited: Promise<void>): Promise<void> => {
        waiting += 1
        await waited
        waiting -= 1
        count(bytes)
      }
      for (const turn of [...arrivals, ...Array.from({ length: 600 }, () => [])]) {
        for (const { tenant, bytes } of turn) {
          const waited = turns.wait(tenant, bytes)
          if (waited === undefined) count(bytes)
          else void wait(bytes, waited)
        }
        expect(readBytes).toBeLessThan(5 * maxBytesAtOnce)
        readBytes = 0
        await next()
        await Promise.resolve()
      }
      expect(waiting).toBe(0)
    }),
  )
})
