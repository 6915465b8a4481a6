import { expect, test } from 'vitest'
import { buildSlots } from './usage-slots.ts'

const at = (text: string): number => Date.parse(text)

test('a day has 25 hours when clocks are put back, and the one that comes twice has two names', () => {
  const day = { fromDay: 20261025, toDay: 20261025 }
  const { names, indexOfTime } = buildSlots('hour', day, 'Europe/Berlin')
  expect(names).toHaveLength(25)
  expect(names.slice(2, 4)).toEqual(['2026-10-25T02:00+02:00', '2026-10-25T02:00+01:00'])
  expect(names[indexOfTime(at('2026-10-25T02:59:59+01:00'))]).toBe('2026-10-25T02:00+01:00')
  expect(buildSlots('hour', day, 'UTC').names[0]).toBe('2026-10-25T00:00+00:00')
})

test('moments belong to the days and months of the zone', () => {
  const period = { fromDay: 20261024, toDay: 20261102 }
  const days = buildSlots('day', period, 'Asia/Tokyo')
  expect(days.names[days.indexOfTime(at('2026-10-31T15:00:00Z'))]).toBe('2026-11-01')
  expect(days.names[days.indexOfTime(at('2026-10-31T14:59:59Z'))]).toBe('2026-10-31')
  expect(days.names[days.indexOfDay(20261102)]).toBe('2026-11-02')
  const months = buildSlots('month', period, 'Asia/Tokyo')
  expect(months.names).toEqual(['2026-10', '2026-11'])
  expect(months.indexOfTime(at('2026-10-31T15:00:00Z'))).toBe(1)
  expect([months.indexOfDay(20261031), months.indexOfDay(20261101)]).toEqual([0, 1])
})
