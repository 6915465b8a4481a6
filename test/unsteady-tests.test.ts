import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeUnsteady, maxUnsteadyTests, unsteadyTests } from './harness/unsteady-tests.ts'

test('the list of unsteady tests is short, and each of them exists', () => {
  expect(unsteadyTests.length).toBeLessThanOrEqual(maxUnsteadyTests)
  for (const { file, name } of unsteadyTests) {
    expect(existsSync(file), file).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain(name.split(' > ').at(-1))
  }
})

test('a test that passed only when repeated fails the run, unless it is on the list', () => {
  const known = { file: 'test/a.test.ts', name: 'group > known' }
  const unknown = { file: 'test/a.test.ts', name: 'group > unknown' }
  expect(judgeUnsteady([], [known])).toEqual({ lines: [], failed: false })
  expect(judgeUnsteady([known], [known])).toEqual({
    lines: ['UNSTEADY: failed once, then passed: test/a.test.ts > group > known'],
    failed: false,
  })
  const both = judgeUnsteady([known, unknown], [known])
  expect(both.failed).toBe(true)
  expect(both.lines[1]).toBe(
    'UNSTEADY: failed once, then passed, and is not in test/harness/unsteady-tests.json: test/a.test.ts > group > unknown',
  )
})
