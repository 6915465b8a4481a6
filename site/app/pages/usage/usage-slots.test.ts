import { expect, test } from 'vitest'
import type { UsageFigures, UsageLine } from '../../../../src/platform/contract/usage.ts'
import { buildSeries, buildSlots } from './usage-slots.ts'

const figures = (requests: number): UsageFigures => ({
  ...{ requests, failed: 0, aborted: 0, promptTokens: 5, cachedTokens: 0, completionTokens: 7, reasoningTokens: 0 },
  ...{ firstTokenMs: 20, durationMs: 30, estimated: 0, costMicros: 40 },
})
const line = (slot: number, id: string, requests: number): UsageLine => ({
  ...figures(requests),
  slot,
  series: { id, name: null, lastFour: null },
  previous: figures(2),
})
const slots = ['2026-10-31', '2026-11-01', '2026-11-02']
const data = [line(0, 'a', 3), line(2, 'a', 1), line(2, 'b', 9), line(2, 'others', 100)]

test('slots have the sums of their lines, and those without requests are zero', () => {
  const previous = { from: '2026-10-28', to: '2026-10-30', total: figures(0) }
  const sums = buildSlots({ slots, data, previous })
  expect(sums.map(({ name, requests }) => `${name} ${requests}`)).toEqual([
    '2026-10-31 3',
    '2026-11-01 0',
    '2026-11-02 110',
  ])
  expect(sums.map((slot) => slot.previous?.requests)).toEqual([2, 0, 6])
  expect(buildSlots({ slots, data, previous: null }).map((slot) => slot.previous)).toEqual([null, null, null])
})

test('series are ordered by what is shown, with the rest at the end', () => {
  expect(buildSeries({ slots, data }, 'requests').map(({ id, values }) => [id, ...values])).toEqual([
    ['b', 0, 0, 9],
    ['a', 3, 0, 1],
    ['others', 0, 0, 100],
  ])
})
