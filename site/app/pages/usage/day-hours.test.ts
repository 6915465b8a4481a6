import { expect, test } from 'vitest'
import type { UsageLine } from '../../../../src/platform/contract/usage.ts'
import { dayHours } from './day-hours.ts'

const line = (slot: number, completionTokens: number): UsageLine => ({
  ...{ slot, completionTokens, series: null, previous: null, requests: 1, failed: 0, aborted: 0, promptTokens: 0 },
  ...{ cachedTokens: 0, reasoningTokens: 0, firstTokenMs: null, durationMs: null, estimated: 0, costMicros: 0 },
})
const hoursOf = (day: string, offset: string) =>
  Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}:00${offset}`)

test('each day has the tokens of its hours, the newest day first', () => {
  const slots = [...hoursOf('2026-11-14', '+09:00'), ...hoursOf('2026-11-15', '+09:00')]
  const [second, first] = dayHours({ slots, data: [line(0, 5), line(9, 7), line(24 + 23, 1)], countedFrom: null })
  expect(first).toMatchObject({ day: '2026-11-14', tokens: 12, busiest: 9 })
  expect(first?.hours?.slice(0, 2)).toEqual([5, 0])
  expect(second).toMatchObject({ day: '2026-11-15', tokens: 1, busiest: 23 })
})

test('an hour that the clock shows twice is one, and a day that skips one has it empty', () => {
  const slots = ['2026-10-25T02:00+02:00', '2026-10-25T02:00+01:00', '2026-10-25T03:00+01:00']
  const [day] = dayHours({ slots, data: [line(0, 2), line(1, 3)], countedFrom: null })
  expect(day?.hours).toHaveLength(24)
  expect(day).toMatchObject({ tokens: 5, busiest: 2 })
})

test('of days whose requests are gone nothing is claimed', () => {
  const slots = [...hoursOf('2026-11-14', '+00:00'), ...hoursOf('2026-11-15', '+00:00')]
  const days = dayHours({ slots, data: [], countedFrom: Date.parse('2026-11-15T00:00Z') })
  expect(days.map(({ hours, busiest }) => [hours?.length ?? null, busiest])).toEqual([
    [24, null],
    [null, null],
  ])
})
