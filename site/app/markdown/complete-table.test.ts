import { expect, test } from 'vitest'
import { completeTable } from './complete-table.ts'
import { growMarkdown, noMarkdown } from './grow-markdown.ts'

const table = 'Rain:\n\n| Month | mm |\n|---|--:|\n| June | 160 |\n'

test('a table is a table from the first character of its head on', () => {
  let grown = noMarkdown
  for (let end = 'Rain:\n\n| M'.length; end <= table.length; end += 1) {
    grown = growMarkdown(grown, table.slice(0, end), true)
    expect(
      grown.parts.at(-1)?.blocks.map(({ kind }) => kind),
      table.slice(0, end),
    ).toEqual(['table'])
  }
  expect(growMarkdown(grown, table, false).parts.at(-1)?.blocks).toMatchObject([
    { kind: 'table', alignments: [null, 'right'], rows: [[[{ text: 'June' }], [{ text: '160' }]]] },
  ])
})

test.each(['a | b', '| a | b |\ntext', 'text\n| a |', '|', '| a |\n|---|\n| b', ''])('%j is left as it is', (part) => {
  expect(completeTable(part)).toBe(part)
})
