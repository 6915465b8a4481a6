import { expect, test } from 'vitest'
import { bridgeGaps, bridgeSlices } from './bridge-gaps.ts'

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

test('a bridge begins where its sequence ends, behind the part of a prompt that the same step reads', () => {
  const single = (sequence: number) => ({ sequence, position: 40, tokens: [5], isSampled: true })
  const prompt = { sequence: 1, position: 64, tokens: new Array<number>(100).fill(7), isSampled: false }
  const bridge = { tokens: [0], isSampled: false }
  expect(bridgeSlices([single(0), single(3), prompt], () => 9, 512)).toEqual([
    { ...bridge, sequence: 1, position: 164 },
    { ...bridge, sequence: 2, position: 9 },
  ])
  expect(bridgeSlices([single(0), single(2)], () => 512, 512)).toEqual([])
})
