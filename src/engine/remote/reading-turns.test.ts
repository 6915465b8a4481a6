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

test('streams that send a lot take turns, in order', async () => {
  const { turns, next } = startTurns()
  const read: number[] = []
  for (let stream = 0; stream < 10; stream += 1) {
    const waited = turns.wait(1_000_000)
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
  for (let stream = 0; stream < 10; stream += 1) void turns.wait(1_000_000)
  expect(turns.wait(300)).toBeUndefined()
})

test('nobody waits for ever, and no turn reads much more than its share', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.integer({ min: 1, max: 100_000 })), { maxLength: 20 }), async (arrivals) => {
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
        for (const bytes of turn) {
          const waited = turns.wait(bytes)
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
