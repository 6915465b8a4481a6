import { expect, test } from 'vitest'
import { median, ratioSpread, takeTurns, tokensPerSecond } from './measure.ts'

test('the median is the middle, or the mean of the two in the middle', () => {
  expect(median([5])).toBe(5)
  expect(median([9, 1, 5])).toBe(5)
  expect(median([10, 1, 3, 2])).toBe(2.5)
  expect(() => median([])).toThrow('nothing')
})

test('ratios are taken within a round, so that a slow round does not count twice', () => {
  expect(ratioSpread([2, 20, 3], [1, 10, 1])).toEqual({ median: 2, min: 2, max: 3 })
})

test('turns alternate their order', async () => {
  const order: string[] = []
  const note = (name: string) => async () => order.push(name)
  expect(await takeTurns(2, { ours: note('ours'), reference: note('reference') })).toEqual({
    ours: [1, 4],
    reference: [2, 3],
  })
  expect(order).toEqual(['ours', 'reference', 'reference', 'ours'])
})

test('tokens per second count while every stream generates', () => {
  expect(tokensPerSecond([[1000, 1500, 2000]])).toBe(2)
  const streams = [
    [1000, 2000, 2500],
    [1500, 2000, 3500],
  ]
  expect(tokensPerSecond(streams)).toBe(3)
  expect(tokensPerSecond(streams, streams.slice(0, 1))).toBe(2)
})

test('streams that never generate at the same time have no common speed', () => {
  expect(
    tokensPerSecond([
      [1000, 2000],
      [2000, 3000],
    ]),
  ).toBeNaN()
})
