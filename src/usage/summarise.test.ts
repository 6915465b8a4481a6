import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UsageRow } from '../store/ledger-contract.ts'
import { summariseUsage, sumUsage, totalTokens, usageGroups } from './summarise.ts'

const count = fc.nat(1_000_000)
const row: fc.Arbitrary<UsageRow> = fc.record({
  day: fc.constantFrom(20261113, 20261114, 20261115),
  organisationId: fc.constant('org_1'),
  keyId: fc.constantFrom('key_1', 'key_2', null),
  model: fc.constantFrom('a', 'b'),
  requests: count,
  failed: count,
  clientClosed: count,
  estimated: count,
  costMicros: count,
  promptTokens: count,
  cachedTokens: count,
  completionTokens: count,
  reasoningTokens: count,
  firstTokens: count,
  firstTokenMs: count,
  timedTokens: count,
  timedMs: count,
  durationMs: count,
})

test('the groups add up to the total, however they are grouped', () => {
  fc.assert(
    fc.property(fc.array(row), fc.constantFrom(...usageGroups), (rows, by) => {
      const groups = summariseUsage(rows, by)
      expect(sumUsage(groups)).toEqual(sumUsage(rows))
      const names = groups.map(({ day, keyId, model }) => ({ day, key: keyId, model })[by])
      expect(new Set(names).size).toBe(names.length)
      const order = groups.map((group) => (by === 'day' ? group.day : -totalTokens(group)))
      expect(order).toEqual(order.toSorted((a, b) => a - b))
    }),
  )
})

test('no rows add up to nothing', () => {
  expect(summariseUsage([], 'day')).toEqual([])
  expect(totalTokens(sumUsage([]))).toBe(0)
})
