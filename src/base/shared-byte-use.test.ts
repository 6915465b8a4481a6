import { expect, test } from 'vitest'
import { clearSharedBytes, createSharedBytes, openSharedByteUse } from './shared-byte-use.ts'

test('threads see what the others use, in all and by holder', () => {
  const memory = createSharedBytes(2)
  const [one, other] = [openSharedByteUse(memory, 0), openSharedByteUse(memory, 1)]
  one.add(['owner a', 'address 1'], 100)
  other.add(['owner a', 'address 2'], 20)
  expect(one.total()).toBe(120)
  expect(other.of('owner a')).toBe(120)
  expect(other.of('address 1')).toBe(100)
  expect(one.of('address 2')).toBe(20)
  one.add(['owner a', 'address 1'], -100)
  expect(other.of('owner a')).toBe(20)
  expect(other.of('address 1')).toBe(0)
})

test('what a thread has used is free once it has ended', () => {
  const memory = createSharedBytes(2)
  const [one, other] = [openSharedByteUse(memory, 0), openSharedByteUse(memory, 1)]
  one.add(['a'], 100)
  other.add(['a'], 1)
  clearSharedBytes(memory, 0)
  expect(other.total()).toBe(1)
  expect(other.of('a')).toBe(1)
})

test('hundreds of holders are told apart', () => {
  const use = openSharedByteUse(createSharedBytes(1), 0)
  const holders = Array.from({ length: 500 }, (_, index) => `owner org_${index}`)
  for (const holder of holders) use.add([holder], 1)
  expect(use.total()).toBe(500)
  // Both buckets of a few are shared.
  expect(holders.filter((holder) => use.of(holder) === 1).length).toBeGreaterThan(450)
  for (const holder of holders) use.add([holder], -1)
  expect(holders.filter((holder) => use.of(holder) > 0)).toEqual([])
})

test('bytes beyond 32 bits are counted', () => {
  const memory = createSharedBytes(2)
  openSharedByteUse(memory, 0).add(['a'], 60 * 2 ** 30)
  expect(openSharedByteUse(memory, 1).of('a')).toBe(60 * 2 ** 30)
})
