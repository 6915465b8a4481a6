import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addToWindow, createSlidingWindow, windowEmptiesAt, windowFallsTo, windowTotal } from './sliding-window.ts'

test('an amount counts for 60 seconds', () => {
  const window = createSlidingWindow()
  addToWindow(window, 0, 3)
  addToWindow(window, 30_000, 4)
  expect(windowTotal(window, 59_999.9)).toBe(7)
  expect(windowTotal(window, 60_000)).toBe(4)
  expect(windowTotal(window, 90_000)).toBe(0)
})

test('amounts within a tenth of a second leave together, with the last of them', () => {
  const window = createSlidingWindow()
  addToWindow(window, 0, 1)
  addToWindow(window, 99, 1)
  addToWindow(window, 100, 1)
  expect(windowTotal(window, 60_098)).toBe(3)
  expect(windowTotal(window, 60_099)).toBe(1)
  expect(windowTotal(window, 60_100)).toBe(0)
})

test('the time at which the total has fallen far enough is known', () => {
  const window = createSlidingWindow()
  for (const [atMs, amount] of [
    [0, 10],
    [1_000, 20],
    [2_000, 30],
  ] as const)
    addToWindow(window, atMs, amount)
  expect(windowFallsTo(window, 5_000, 60)).toBe(5_000)
  expect(windowFallsTo(window, 5_000, 59)).toBe(60_000)
  expect(windowFallsTo(window, 5_000, 49)).toBe(61_000)
  expect(windowFallsTo(window, 5_000, 30)).toBe(61_000)
  expect(windowFallsTo(window, 5_000, 0)).toBe(62_000)
  expect(windowEmptiesAt(window, 5_000)).toBe(62_000)
  expect(windowEmptiesAt(window, 70_000)).toBe(70_000)
})

test('a time before the last counts as the last, so that nothing leaves early', () => {
  const window = createSlidingWindow()
  addToWindow(window, 50_000, 1)
  addToWindow(window, 10_000, 1)
  expect(windowTotal(window, 109_999)).toBe(2)
  expect(windowTotal(window, 110_000)).toBe(0)
})

test('the number of buckets is bounded', () => {
  const window = createSlidingWindow()
  for (let atMs = 0; atMs < 1_000_000; atMs += 7) addToWindow(window, atMs, 1)
  expect(window.buckets.length).toBeLessThan(1_210)
})

test('the total covers at least the last 60 seconds, and at most a tenth of a second more', () => {
  const step = fc.record({ pauseMs: fc.double({ min: 0, max: 9_000, noNaN: true }), amount: fc.nat(100) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const window = createSlidingWindow()
      const happened: { atMs: number; amount: number }[] = []
      let nowMs = -30_000
      for (const { pauseMs, amount } of steps) {
        nowMs += pauseMs
        addToWindow(window, nowMs, amount)
        happened.push({ atMs: nowMs, amount })
        const since = (ms: number) =>
          happened.filter(({ atMs }) => atMs + ms > nowMs).reduce((sum, one) => sum + one.amount, 0)
        const total = windowTotal(window, nowMs)
        expect(total).toBeGreaterThanOrEqual(since(60_000))
        expect(total).toBeLessThanOrEqual(since(60_100))
      }
    }),
  )
})
