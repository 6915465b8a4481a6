import { expect, test } from 'vitest'
import { measureSpeed } from './measure-speed.ts'

const every = (ms: number, count: number): number[] => Array.from({ length: count }, (_, index) => 100 + index * ms)

test('a handful of tokens has no speed, nor have tokens that came at once', () => {
  expect(measureSpeed(every(20, 19))).toBeNull()
  expect(measureSpeed(every(10, 20))).toBeNull()
  expect(measureSpeed([])).toBeNull()
  expect(measureSpeed(every(20, 20))).toBe(50)
})
