import { expect, test } from 'vitest'
import type { ShownLimit } from '../../../../src/platform/contract/limits.ts'
import { nearestLimits } from './nearest-limits.ts'

const of = (name: ShownLimit['name'], limit: number | null, used: number | null): ShownLimit => ({
  ...{ name, limit, used, setBy: 'settings', resetsAt: null },
})

test('the limits nearest to full come first, and those that are not set are left out', () => {
  const limits = [
    of('requestsPerMinute', 10, 1),
    of('tokensPerMinute', null, null),
    of('tokensPerDay', 100, 90),
    of('requestsInFlight', 8, null),
    of('tokensPerMonth', 1000, 500),
    of('requestsPerDay', 50, 10),
  ]
  expect(nearestLimits({ organisation: limits, keys: [] }).map(({ name }) => name)).toEqual([
    'tokensPerDay',
    'tokensPerMonth',
    'requestsPerDay',
    'requestsPerMinute',
  ])
})

test('those of keys are among them, and name their key', () => {
  const key = { id: 'key_1', name: 'staging', lastFour: 'abcd' }
  const keys = [
    { ...key, prefix: 'hx_live_', limits: [of('tokensPerDay', 300, 42_000), of('costPerDayMicros', null, null)] },
  ]
  const rows = nearestLimits({ organisation: [of('requestsPerMinute', 10, 9)], keys })
  expect(rows.map((row) => [row.name, row.key])).toEqual([
    ['tokensPerDay', key],
    ['requestsPerMinute', null],
  ])
})
