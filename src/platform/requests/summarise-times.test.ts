import { expect, test } from 'vitest'
import { computePercentiles } from './summarise-times.ts'

test('percentiles are times that were measured', () => {
  expect(computePercentiles([])).toBeNull()
  expect(computePercentiles([7])).toEqual({ p50: 7, p95: 7, p99: 7 })
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(computePercentiles(hundred)).toEqual({ p50: 50, p95: 95, p99: 99 })
  expect(computePercentiles([1, 2])).toEqual({ p50: 1, p95: 2, p99: 2 })
})
