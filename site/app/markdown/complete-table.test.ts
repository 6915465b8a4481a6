import { expect, test } from 'vitest'
import { completeTable } from './complete-table.ts'
import { growMarkdown, noMarkdown } from './grow-markdown.ts'

const table = 'Rain:\n\n| Month | mm |\n|---|--:|\n| June | 160 |\n'

test('a table is a table from the first character of its head on', () => {
  let grown = noMarkdown
  for (let end = 'Rain:\n\n| M'.length; end <= table.length; end += 1) {
    grown = growMarkdown(grown, table.slice(0, end), true)
    expect(grown.parts.at(-1)?.blocks.at(-1)?.kind, table.slice(0, end)).toBe('table')
  }
  expect(growMarkdown(grown, table, false).parts.at(-1)?.blocks).toMatchObject([
    { kind: 'table', alignments: [null, 'right'], rows: [[[{ text: 'June' }], [{ text: '160' }]]] },
  ])
})

test('an answer that ends with such a line is shown as it is', () => {
  const grown = growMarkdown(noMarkdown, '| not a table', true)
  expect(grown.parts[0]?.blocks[0]?.kind).toBe('table')
  expect(growMarkdown(grown, '| not a table', false).parts[0]?.blocks[0]?.kind).toBe('paragraph')
})

test.each(['a | b', '| a | b |\ntext', 'text\n| a |', '|', '| a |\n|---|\n| b', ''])('%j is left as it is', (part) => {
  expect(completeTable(part)).toBe(part)
})
