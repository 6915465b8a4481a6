import { expect, test } from 'vitest'
import { areStartsJudged, judgeStarts } from './harness/start-budgets.ts'
import { noStarts } from './harness/starts.ts'

test('a project that starts more than its budget fails the run, one that starts less does not', () => {
  const budget = { ...noStarts, servers: 2 }
  expect(judgeStarts('fast', { ...noStarts, servers: 2 }, budget)).toEqual([])
  expect(judgeStarts('fast', { ...noStarts, servers: 3, models: 1 }, budget)).toEqual([
    'STARTS: fast started 3 servers, of at most 2 (test/harness/start-budgets.ts)',
    'STARTS: fast started 1 models, of at most 0 (test/harness/start-budgets.ts)',
  ])
})

test('starts are not judged where tests are tried in more ways, or again', () => {
  expect(areStartsJudged({})).toBe(true)
  expect(areStartsJudged({ TEST_GRID: 'full' })).toBe(false)
  expect(areStartsJudged({ HELIX_TEST_RETRIES: '1' })).toBe(false)
})
