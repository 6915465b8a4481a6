import { expect, test } from 'vitest'
import { bridgeGaps } from './bridge-gaps.ts'

const always = () => true

test('sequences between others are added, those around them are not', () => {
  expect(bridgeGaps([], always)).toEqual([])
  expect(bridgeGaps([5], always)).toEqual([])
  expect(bridgeGaps([2, 3, 4], always)).toEqual([])
  expect(bridgeGaps([4, 0, 1, 6], always)).toEqual([2, 3, 5])
})

test('a gap is left if it is wide, or if one of its sequences has no room for a token', () => {
  expect(bridgeGaps([0, 4], always)).toEqual([1, 2, 3])
  expect(bridgeGaps([0, 5, 7], always)).toEqual([6])
  expect(bridgeGaps([0, 3, 5], (sequence) => sequence !== 2)).toEqual([4])
})
