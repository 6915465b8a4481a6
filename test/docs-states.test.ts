import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repository } from './harness/run-program.ts'
import { stateDiagrams, unionStates } from './harness/state-diagram.ts'

const pages = globSync('docs/**/*.md', { cwd: repository })
const diagrams = pages.flatMap((page) => stateDiagrams(page).map((diagram) => ({ page, ...diagram })))

test('every diagram says whose states it draws', () => {
  expect(diagrams.length).toBeGreaterThan(0)
  expect(diagrams.filter(({ file, type }) => file === '' || type === '')).toEqual([])
})

test.each(diagrams)('$page draws the states of $type in $file', ({ file, type, states }) => {
  expect(states).toEqual(unionStates(file, type))
})
