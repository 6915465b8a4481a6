import { expect, test } from 'vitest'
import { createSharedThreadFigures, openThreadFigures } from './shared-thread-figures.ts'

test('what a thread notes is read by another, and the longest delay once', () => {
  const figures = createSharedThreadFigures()
  const note = openThreadFigures(figures.memory)
  expect(figures.heapBytes()).toBeGreaterThan(0)
  expect(figures.externalBytes()).toBeGreaterThan(0)
  const [, , longest] = new Float64Array(figures.memory)
  new Float64Array(figures.memory).set([1.5], 2)
  expect(longest).toBe(0)
  note()
  expect([figures.longestLag(), figures.longestLag()]).toEqual([1.5, 0])
})
