import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from './random.ts'

const numbers = (seed: number, count: number) => {
  const random = createRandom(seed)
  return Array.from({ length: count }, random)
}
const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 })

test('the same seed gives the same numbers, its neighbour others', () => {
  fc.assert(
    fc.property(seed, (seed) => {
      expect(numbers(seed, 5)).toEqual(numbers(seed, 5))
      expect(numbers(seed, 5)).not.toEqual(numbers((seed + 1) % 2 ** 32, 5))
    }),
  )
})

test('the numbers lie from 0 up to 1 and fill it evenly, the first of many seeds too', () => {
  const evenly = (drawn: number[]) => {
    const tenths = new Array<number>(10).fill(0)
    for (const number of drawn) tenths[Math.floor(number * 10)] = (tenths[Math.floor(number * 10)] ?? 0) + 1
    expect(tenths).toHaveLength(10)
    for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150)
  }
  evenly(numbers(7, 10_000))
  evenly(Array.from({ length: 10_000 }, (_, seed) => createRandom(seed)()))
})
