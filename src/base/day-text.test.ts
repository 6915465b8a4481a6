import { expect, test } from 'vitest'
import { addDays, daysBetween, dayText, readDayText } from './day-text.ts'

test('a day is formatted as a date, and parsed again', () => {
  expect(dayText(20261115)).toBe('2026-11-15')
  expect(readDayText('2026-11-15')).toBe(20261115)
  expect(readDayText('2028-02-29')).toBe(20280229)
})

test.each([
  '',
  '2026-02-29',
  '2026-13-01',
  '2026-11-00',
  '20261115',
  '2026-11-15T00:00:00Z',
  '15.11.2026',
  ' 2026-11-15',
])('%j is not a day', (text) => {
  expect(readDayText(text)).toBeNull()
})

test('both ends of a range are included', () => {
  expect(daysBetween(20261115, 20261115)).toBe(1)
  expect(daysBetween(20280228, 20280301)).toBe(3)
  expect(daysBetween(20260101, 20261231)).toBe(365)
})

test('days are counted across the ends of months and years', () => {
  expect(addDays(20280228, 1)).toBe(20280229)
  expect(addDays(20270101, -1)).toBe(20261231)
  expect(addDays(20261115, 0)).toBe(20261115)
})
