import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalAmount, microsOfNumber, parseMicros } from './decimal-amount.ts'

test('amounts are read exactly, to the sixth decimal place', () => {
  expect(['0', '2.5', '0.1', '0.000001', '1000000', '12.340000'].map(parseMicros)).toEqual([
    0, 2_500_000, 100_000, 1, 1_000_000_000_000, 12_340_000,
  ])
  expect(['', '-1', '+1', '1.', '.5', '1e3', '0.0000001', '1,5', ' 1', '99999999999'].map(parseMicros)).toEqual(
    Array(10).fill(null),
  )
})

test('numbers are read by their decimal notation', () => {
  expect([0, 0.1, 0.3, 1e-6, 1.005, 12_345.678901, 9e9].map(microsOfNumber)).toEqual([
    0, 100_000, 300_000, 1, 1_005_000, 12_345_678_901, 9_000_000_000_000_000,
  ])
  expect([-1, 1e-7, 0.1 + 0.2, 9e9 + 1, Number.NaN, Number.POSITIVE_INFINITY].map(microsOfNumber)).toEqual(
    Array(6).fill(null),
  )
})

test('an amount that is written is read as the same', () => {
  fc.assert(
    fc.property(fc.nat({ max: 9_000_000_000_000_000 }), (micros) => parseMicros(decimalAmount(micros)) === micros),
  )
  expect(decimalAmount(2_500_000)).toBe('2.5')
  expect(decimalAmount(0)).toBe('0')
})
