import { expect, test } from 'vitest'
import { fillDays } from './fill-days.ts'

test('days without requests are filled with zeros, across the end of a month and a clock change', () => {
  const line = { requests: 3, failed: 0, aborted: 0, promptTokens: 5, cachedTokens: 0, completionTokens: 7 }
  const recorded = {
    ...line,
    ...{ estimated: 0, costMicros: 40 },
    reasoningTokens: 0,
    firstTokenMs: 20,
    durationMs: 30,
    day: '2026-10-31',
  }
  const days = fillDays({ from: '2026-10-24', to: '2026-11-02', data: [recorded] })
  expect(days.map(({ day }) => day.slice(5)).join(' ')).toBe(
    '10-24 10-25 10-26 10-27 10-28 10-29 10-30 10-31 11-01 11-02',
  )
  expect(days.map(({ requests }) => requests)).toEqual([0, 0, 0, 0, 0, 0, 0, 3, 0, 0])
  expect(days.map(({ costMicros }) => costMicros)).toEqual([0, 0, 0, 0, 0, 0, 0, 40, 0, 0])
})
