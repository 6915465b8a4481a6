import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { maxUnsteadyTests, unsteadyTests } from './harness/unsteady-tests.ts'

test('the list of unsteady tests is short, and each of them exists', () => {
  expect(unsteadyTests.length).toBeLessThanOrEqual(maxUnsteadyTests)
  for (const { file, name } of unsteadyTests) {
    expect(existsSync(file), file).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain(name.split(' > ').at(-1))
  }
})
