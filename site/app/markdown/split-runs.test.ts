import { expect, test } from 'vitest'
import { splitRuns } from './split-runs.ts'

test('each piece of a text has its part of the looks of the whole', () => {
  const runs = [
    { look: 'keyword', text: 'const' },
    { look: 'plain', text: ' a = ' },
    { look: 'string', text: "'mine'" },
  ] as const
  expect(splitRuns(runs, ["const a = '", 'mine', '', "'"])).toEqual([
    [
      { look: 'keyword', text: 'const' },
      { look: 'plain', text: ' a = ' },
      { look: 'string', text: "'" },
    ],
    [{ look: 'string', text: 'mine' }],
    [],
    [{ look: 'string', text: "'" }],
  ])
})
