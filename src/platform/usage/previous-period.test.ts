import { expect, test } from 'vitest'
import type { UsageUnit } from '../contract/usage-groups.ts'
import { previousPeriod } from './previous-period.ts'

test.each<[UsageUnit, number, number, number, number]>([
  ['day', 20261110, 20261116, 20261103, 20261109],
  ['hour', 20260301, 20260301, 20260228, 20260228],
  ['total', 20240301, 20240331, 20240130, 20240229],
  ['month', 20260901, 20261130, 20260601, 20260831],
  ['month', 20260910, 20261116, 20260610, 20260816],
  ['month', 20260331, 20260331, 20260228, 20260228],
  ['month', 20260101, 20260131, 20251201, 20251231],
])('by %s, %i to %i is compared with %i to %i', (unit, fromDay, toDay, previousFrom, previousTo) => {
  expect(previousPeriod(unit, { fromDay, toDay })).toEqual({ fromDay: previousFrom, toDay: previousTo })
})
