import { expect, test } from 'vitest'
import type { UsageRow } from '../store/ledger-contract.ts'
import { recentPeriod, recentUse } from './recent-use.ts'
import { sumUsage } from './summarise.ts'

const row = (day: number, keyId: string | null, promptTokens: number, completionTokens = 0): UsageRow => ({
  ...sumUsage([]),
  ...{ day, keyId, promptTokens, completionTokens, organisationId: 'org_1', model: 'a' },
})

test('the period goes back two weeks, or to the start of the month', () => {
  expect(recentPeriod(20261120)).toEqual({ fromDay: 20261101, toDay: 20261120 })
  expect(recentPeriod(20261103)).toEqual({ fromDay: 20261021, toDay: 20261103 })
})

test('usage of each key today, this month and in the last two weeks', () => {
  const rows = [
    row(20261020, 'key_1', 1_000),
    row(20261021, 'key_1', 7),
    row(20261031, 'key_1', 20),
    row(20261101, 'key_1', 300),
    row(20261103, 'key_1', 4_000, 1),
    row(20261103, null, 5),
  ]
  const uses = recentUse(rows, 20261103, ({ keyId }) => keyId)
  expect(uses.get('key_1')).toEqual({
    today: 4_001,
    thisMonth: 4_301,
    lastDays: [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, 300, 0, 4_001],
  })
  expect(uses.get(null)?.today).toBe(5)
  expect(uses.get('key_2')).toBeUndefined()
})
