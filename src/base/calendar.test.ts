import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOf, dayStartAt, monthOf, nextDayAt, nextMonthAt, readTimeZone } from './calendar.ts'

const at = (text: string): number => Date.parse(text)
const shown = (now: number): string => new Date(now).toISOString()

test('a day begins at midnight in its time zone', () => {
  expect(dayOf(at('2026-11-15T14:59:59.999Z'), 'Asia/Tokyo')).toBe(20261115)
  expect(dayOf(at('2026-11-15T15:00:00Z'), 'Asia/Tokyo')).toBe(20261116)
  expect(dayOf(at('2026-12-31T23:59:59.999Z'), 'UTC')).toBe(20261231)
  expect(dayOf(at('2027-01-01T00:00:00Z'), 'UTC')).toBe(20270101)
  expect(monthOf(20261115)).toBe(202611)
})

test('the next day and month begin at local midnight, also around clock changes', () => {
  const next = (text: string, timeZone: string) => shown(nextDayAt(at(text), timeZone))
  expect(next('2026-11-15T12:00:00Z', 'UTC')).toBe('2026-11-16T00:00:00.000Z')
  expect(next('2026-11-16T00:00:00Z', 'UTC')).toBe('2026-11-17T00:00:00.000Z')
  // A day of 23 hours, and one of 25.
  expect(next('2026-03-28T23:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z')
  expect(next('2026-10-24T22:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T23:00:00.000Z')
  // Midnight does not exist on this day: it begins at one o'clock.
  expect(next('2026-04-23T12:00:00Z', 'Africa/Cairo')).toBe('2026-04-23T22:00:00.000Z')
  // A day that was left out.
  expect(next('2011-12-30T08:00:00Z', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z')
  expect(dayOf(at('2011-12-30T10:00:00Z'), 'Pacific/Apia')).toBe(20111231)
  expect(shown(nextMonthAt(at('2026-12-15T12:00:00Z'), 'America/New_York'))).toBe('2027-01-01T05:00:00.000Z')
  expect(shown(nextMonthAt(at('2028-02-29T12:00:00Z'), 'Asia/Kolkata'))).toBe('2028-02-29T18:30:00.000Z')
})

test('the names of time zones are read as they are spelt officially, and nothing else is one', () => {
  expect(['Asia/Tokyo', 'asia/tokyo', 'UTC'].map(readTimeZone)).toEqual(['Asia/Tokyo', 'Asia/Tokyo', 'UTC'])
  for (const name of ['', 'Mars/Base', '+01:37', '../etc', 'Asia/Tokyo\n']) expect(readTimeZone(name)).toBeNull()
})

test('a day lasts until the millisecond before the next one, in every time zone', () => {
  const zones = ['UTC', 'Asia/Tokyo', 'Europe/Berlin', 'America/Santiago', 'Africa/Cairo', 'Australia/Lord_Howe']
  const moments = fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') })
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), (now, timeZone) => {
      const day = dayOf(now, timeZone)
      const end = nextDayAt(now, timeZone)
      expect(end).toBeGreaterThan(now)
      expect(dayOf(end - 1, timeZone)).toBe(day)
      expect(dayOf(end, timeZone)).toBeGreaterThan(day)
      const monthEnd = nextMonthAt(now, timeZone)
      expect(monthOf(dayOf(monthEnd - 1, timeZone))).toBe(monthOf(day))
      expect(monthOf(dayOf(monthEnd, timeZone))).not.toBe(monthOf(day))
      // The day begins at one moment, however it is found.
      const start = dayStartAt(day, timeZone)
      expect(start).toBeLessThanOrEqual(now)
      expect(dayOf(start, timeZone)).toBe(day)
      expect(dayOf(start - 1, timeZone)).toBeLessThan(day)
      expect([dayStartAt(day, timeZone, start), dayStartAt(day, timeZone, start + 7)]).toEqual([start, start])
      // Looking back from later gives the day that it was.
      expect(dayOf(now, timeZone)).toBe(day)
    }),
  )
})
