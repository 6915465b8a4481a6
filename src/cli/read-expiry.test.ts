import { expect, test } from 'vitest'
import { UsageError } from './command.ts'
import { readDuration, readExpiry } from './read-expiry.ts'

const now = Date.UTC(2026, 10, 15, 12)

test.each([
  ['45s', 45_000],
  ['90m', 5_400_000],
  ['24h', 86_400_000],
  ['30d', 2_592_000_000],
  ['2w', 1_209_600_000],
  ['0', 0],
])('%s is a time', (text, ms) => {
  expect(readDuration(text)).toBe(ms)
})

test.each(['', '30', '1.5h', '-1d', '1y', 'd', '1 d', '99999999999d', '00'])('%j is no time', (text) => {
  expect(readDuration(text)).toBeNull()
})

test('a key ends after some time, or at a moment', () => {
  expect(readExpiry('36h', now, 'UTC')).toBe(now + 129_600_000)
  expect(readExpiry('2026-12-31T18:00:00Z', now, 'UTC')).toBe(Date.UTC(2026, 11, 31, 18))
  expect(readExpiry('2026-12-31T18:00:00+09:00', now, 'UTC')).toBe(Date.UTC(2026, 11, 31, 9))
})

test.each([
  ['UTC', Date.UTC(2027, 0, 1)],
  ['Asia/Tokyo', Date.UTC(2026, 11, 31, 15)],
  ['America/Los_Angeles', Date.UTC(2027, 0, 1, 8)],
  ['Pacific/Kiritimati', Date.UTC(2026, 11, 31, 10)],
  ['Pacific/Pago_Pago', Date.UTC(2027, 0, 1, 11)],
])('a key ends with its last day in %s', (timeZone, end) => {
  expect(readExpiry('2026-12-31', now, timeZone)).toBe(end - 1)
})

test.each(['', 'soon', '0', '0d', '2026-02-30', '2026-12-31T18:00:00', '12/31/2026'])('%j is refused', (text) => {
  expect(() => readExpiry(text, now, 'UTC')).toThrow(UsageError)
})
