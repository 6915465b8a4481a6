import { expect, test } from 'vitest'
import { percentilesOf } from './summarise-times.ts'

test('percentiles are times that were measured', () => {
  expect(percentilesOf([])).toBeNull()
  expect(percentilesOf([7])).toEqual({ p50: 7, p95: 7, p99: 7 })
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(percentilesOf(hundred)).toEqual({ p50: 50, p95: 95, p99: 99 })
  expect(percentilesOf([1, 2])).toEqual({ p50: 1, p95: 2, p99: 2 })
})
