import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPackedQueue } from './packed-queue.ts'

test('whatever is put in comes out in the same order, packed or not', () => {
  const item = fc.record({ text: fc.string({ unit: 'binary' }), bytes: fc.uint8Array(), count: fc.option(fc.nat()) })
  const step = fc.oneof(item, fc.constant('take' as const))
  fc.assert(
    fc.property(fc.array(step), fc.integer({ min: 1, max: 200 }), (steps, packBytes) => {
      const queue = createPackedQueue<object>(packBytes)
      const waiting: object[] = []
      for (const one of steps) {
        if (one === 'take') expect(queue.take()).toEqual(waiting.shift())
        else {
          waiting.push(one)
          queue.put(one, 10)
        }
        expect(queue.isEmpty()).toBe(waiting.length === 0)
      }
      while (waiting.length > 0) expect(queue.take()).toEqual(waiting.shift())
      expect(queue.take()).toBeUndefined()
    }),
  )
})
