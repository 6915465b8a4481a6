import { expect, test } from 'vitest'
import { goDuration } from './go-duration.ts'

// What `time.Duration(…).String()` of Go prints for these.
test.each([
  [0, '0s'],
  [1, '1ms'],
  [17, '17ms'],
  [174, '174ms'],
  [999, '999ms'],
  [1_000, '1s'],
  [1_005, '1.005s'],
  [1_500, '1.5s'],
  [59_999, '59.999s'],
  [60_000, '1m0s'],
  [62_500, '1m2.5s'],
  [360_000, '6m0s'],
  [3_600_000, '1h0m0s'],
  [3_661_001, '1h1m1.001s'],
  [90_000_000, '25h0m0s'],
])('%d ms is %s', (ms, text) => {
  expect(goDuration(ms)).toBe(text)
})

test('fractions of a millisecond are rounded up, so that the wait is long enough', () => {
  expect(goDuration(16.2)).toBe('17ms')
  expect(goDuration(999.5)).toBe('1s')
  expect(goDuration(-3)).toBe('0s')
})
