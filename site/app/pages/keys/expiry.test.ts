import { expect, test } from 'vitest'
import { dateValue, readExpiry } from './expiry.ts'

const now = new Date(2026, 10, 15, 12).getTime()

test('a key ends never, after some days, or at the end of a day', () => {
  expect(readExpiry('never', '', now)).toBeNull()
  expect(readExpiry('30', '', now)).toBe(now + 30 * 86_400_000)
  expect(readExpiry('date', '2026-11-15', now)).toBe(new Date(2026, 10, 15, 23, 59, 59, 999).getTime())
})

test('a past or missing day is invalid', () => {
  expect(readExpiry('date', '2026-11-14', now)).toBe('wrong')
  expect(readExpiry('date', '', now)).toBe('wrong')
})

test('the first day to choose is today', () => {
  expect(dateValue(now)).toBe('2026-11-15')
})
