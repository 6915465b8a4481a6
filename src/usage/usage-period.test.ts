import { expect, test } from 'vitest'
import { readPeriod } from './usage-period.ts'

/** Half past nine in the evening of the 14th in London, the 15th in Tokyo. */
const now = Date.UTC(2026, 10, 14, 21, 30)

test('the default is this month so far, in the time zone', () => {
  const period = (timeZone: string) => readPeriod({}, now, timeZone)
  expect(period('UTC')).toEqual({ outcome: 'read', period: { fromDay: 20261101, toDay: 20261114 } })
  expect(period('Asia/Tokyo')).toEqual({ outcome: 'read', period: { fromDay: 20261101, toDay: 20261115 } })
})

test('either end can be omitted', () => {
  const read = (asked: Parameters<typeof readPeriod>[0]) => readPeriod(asked, now, 'UTC')
  expect(read({ from: '2026-10-05' })).toMatchObject({ period: { fromDay: 20261005, toDay: 20261114 } })
  expect(read({ to: '2026-09-05' })).toMatchObject({ period: { fromDay: 20260901, toDay: 20260905 } })
  expect(read({ from: '2026-11-14', to: '2026-11-14' })).toMatchObject({ outcome: 'read' })
})

test.each([
  [{ from: 'yesterday' }, 'from'],
  [{ to: '2026-02-30' }, 'to'],
  [{ from: '0001-01-01', to: '0001-01-09' }, 'to'],
  [{ from: '9999-12-01', to: '9999-12-31' }, 'to'],
  [{ from: '2026-11-15', to: '2026-11-14' }, 'from'],
  [{ from: '2025-01-01', to: '2026-11-14' }, 'from'],
])('%j is refused', (asked, field) => {
  expect(readPeriod(asked, now, 'UTC')).toEqual({ outcome: 'refused', field, reason: expect.any(String) })
})

test('a period can be a whole leap year', () => {
  expect(readPeriod({ from: '2028-01-01', to: '2028-12-31' }, now, 'UTC').outcome).toBe('read')
})
