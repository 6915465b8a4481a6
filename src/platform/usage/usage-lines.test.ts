import { expect, test } from 'vitest'
import { noUsage } from '../../usage/summarise.ts'
import type { CountedUsage } from './count-usage.ts'
import { createUsageLines } from './usage-lines.ts'

const counted = (slot: number, keyId: string, promptTokens: number): CountedUsage => ({
  ...{ ...noUsage, slot, keyId, promptTokens, requests: 1 },
  ...{ model: 'helix-v1', endpoint: null, outcome: null },
})

test('of many keys the smallest are added up as others, in a chart but not in a table', () => {
  const add = (unit: 'day' | 'total') => {
    const lines = createUsageLines(unit, 'key', () => null)
    for (let key = 1; key <= 12; key += 1) lines.addNow(counted(unit === 'day' ? key % 2 : 0, `key_${key}`, key))
    return lines.finish(false)
  }
  const inChart = add('day')
  expect(new Set(inChart.map(({ series }) => series)).size).toBe(10)
  const others = inChart.filter(({ series }) => series === 'others')
  expect(others.map(({ slot, now }) => [slot, now.promptTokens])).toEqual([
    [0, 2],
    [1, 4],
  ])
  expect(inChart.reduce((sum, { now }) => sum + now.promptTokens, 0)).toBe(78)
  expect(add('total')).toHaveLength(12)
})

test('a line that was only in the previous period stays, so that it can be compared', () => {
  const lines = createUsageLines('total', 'key', () => null)
  lines.addNow(counted(0, 'key_1', 5))
  lines.addBefore(counted(0, 'key_2', 9))
  expect(lines.finish(true).map(({ series, now, before }) => [series, now.requests, before?.requests])).toEqual([
    ['key_1', 1, 0],
    ['key_2', 0, 1],
  ])
})
