import { expect, test } from 'vitest'
import { describeFailed } from './harness/failed-files.ts'
import { areStartsJudged, judgeStarts } from './harness/start-budgets.ts'
import { noStarts } from './harness/starts.ts'

test('a failed run ends with the files that failed, and the command that runs one alone', () => {
  expect(describeFailed([])).toBeNull()
  const usage = { project: 'cluster', file: 'test/usage/ledger.test.ts' }
  expect(describeFailed([usage])).toBe(
    'FAILED: test/usage/ledger.test.ts (cluster). One alone: npx vitest run --project cluster test/usage/ledger.test.ts',
  )
  const many = Array.from({ length: 7 }, (_, index) => ({ project: 'fast', file: `${index}.test.ts` }))
  expect(describeFailed(many)).toMatch(/^FAILED: 0\.test\.ts \(fast\), .*4\.test\.ts \(fast\) and 2 more\. One alone: /)
})

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
