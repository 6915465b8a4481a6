import { expect, test } from 'vitest'
import { createThreadReport } from './thread-report.ts'

test('a change is reported once, later ones at most once a minute', () => {
  const reported: number[] = []
  const { observe } = createThreadReport(4, (threads) => reported.push(threads))
  observe(4, 0)
  expect(reported).toEqual([])
  observe(3, 1_000)
  observe(3, 2_000)
  expect(reported).toEqual([3])
  observe(2, 3_000)
  observe(1, 60_999)
  expect(reported).toEqual([3])
  observe(1, 61_000)
  expect(reported).toEqual([3, 1])
  observe(4, 121_000)
  expect(reported).toEqual([3, 1, 4])
})

test('a count that is back before the minute is over is not reported', () => {
  const reported: number[] = []
  const { observe } = createThreadReport(2, (threads) => reported.push(threads))
  observe(1, 0)
  observe(2, 10_000)
  observe(1, 20_000)
  observe(1, 90_000)
  expect(reported).toEqual([1])
})
