import { expect, test } from 'vitest'
import { singlePoints, strandRuns } from './strand-runs.ts'

test('a strand joins neighbours, and crosses neither a gap nor a single value', () => {
  const points = [[0, 5], [10, 5], null, [30, 5], null, null, [60, 5], [70, 5]] as const
  expect(strandRuns(points)).toBe('M0 5C3.3 5 6.7 5 10 5M60 5C63.3 5 66.7 5 70 5')
  expect(singlePoints(points)).toEqual([[30, 5]])
  expect(strandRuns([[0, 5]])).toBe('')
  expect(strandRuns([])).toBe('')
})
