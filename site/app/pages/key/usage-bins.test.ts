import { expect, test } from 'vitest'
import { dayBins, hourBins } from './usage-bins.ts'

const used = { requests: 1, promptTokens: 2, completionTokens: 3 }

test('every hour of the last 24 has a bin, and what was used stands in its own', () => {
  const now = Date.UTC(2026, 2, 29, 1, 30)
  const bins = hourBins({ hours: [{ startsAt: Date.UTC(2026, 2, 29, 0), ...used }] }, now)
  expect(bins).toHaveLength(24)
  expect(bins.at(-1)).toMatchObject({ start: '2026-03-29T01:00:00.000Z', requests: 0 })
  expect(bins.at(-2)).toMatchObject({ start: '2026-03-29T00:00:00.000Z', ...used })
})

test('every day of the last 30 has a bin, over the end of a month', () => {
  const bins = dayBins({ today: '2028-03-01', days: [{ day: '2028-02-29', ...used }] })
  expect(bins).toHaveLength(30)
  expect(bins.at(-2)).toEqual({ start: '2028-02-29', ...used })
  expect(bins[0]?.start).toBe('2028-02-01')
})
