import { expect, test } from 'vitest'
import type { ShownLimit } from '../../../../src/platform/contract/limits.ts'
import { nearestLimits } from './nearest-limits.ts'

test('the limits nearest to full come first, and those that are not set are left out', () => {
  const of = (name: ShownLimit['name'], limit: number | null, used: number | null): ShownLimit => ({
    ...{ name, limit, used, setBy: 'settings', resetsAt: null },
  })
  const limits = [
    of('requestsPerMinute', 10, 1),
    of('tokensPerMinute', null, null),
    of('tokensPerDay', 100, 90),
    of('requestsInFlight', 8, null),
    of('tokensPerMonth', 1000, 500),
    of('requestsPerDay', 50, 10),
  ]
  expect(nearestLimits(limits).map(({ name }) => name)).toEqual([
    'tokensPerDay',
    'tokensPerMonth',
    'requestsPerDay',
    'requestsPerMinute',
  ])
})
