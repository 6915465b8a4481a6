import { expect, test } from 'vitest'
import { partUnits, readMarkdown } from './read-markdown.ts'
import { createWorkBudget } from './work-budget.ts'

const text = (value: string) => ({ kind: 'text', text: value })
const paragraph = (value: string) => ({ kind: 'paragraph', children: [text(value)] })

test('headings, emphasis and code', () => {
  expect(readMarkdown('## Why\n\n**Dry** *ground* ~~never~~ `a < b`')).toEqual([
    { kind: 'heading', depth: 2, children: [text('Why')] },
    {
      kind: 'paragraph',
      children: [
        { kind: 'strong', children: [text('Dry')] },
        text(' '),
        { kind: 'emphasis', children: [text('ground')] },
        text(' '),
        { kind: 'deleted', children: [text('never')] },
        text(' '),
        { kind: 'code', text: 'a < b' },
      ],
    },
  ])
})

test('lists keep their numbers, and tasks their state', () => {
  expect(readMarkdown('3. three\n4. four')).toEqual([
    {
      kind: 'list',
      start: 3,
      isLoose: false,
      items: [
        { isDone: null, blocks: [paragraph('three')] },
        { isDone: null, blocks: [paragraph('four')] },
      ],
    },
  ])
  expect(readMarkdown('- [x] sown\n- [ ] grown')).toEqual([
    {
      kind: 'list',
      start: null,
      isLoose: false,
      items: [
        { isDone: true, blocks: [paragraph('sown')] },
        { isDone: false, blocks: [paragraph('grown')] },
      ],
    },
  ])
})

test('a table has alignments, and line breaks in its cells', () => {
  expect(readMarkdown('| a | b |\n|---|--:|\n| x<br>y | 2 |')).toEqual([
    {
      kind: 'table',
      alignments: [null, 'right'],
      head: [[text('a')], [text('b')]],
      rows: [[[text('x'), { kind: 'break' }, text('y')], [text('2')]]],
    },
  ])
})

test('a code block that has not ended yet is one', () => {
  expect(readMarkdown('```python title="x"\nprint("<b>")\n')).toEqual([
    { kind: 'code', language: 'python', text: 'print("<b>")' },
  ])
})

test('links lead to web and mail addresses only; any other stays as it was written', () => {
  expect(readMarkdown('[here](https://example.com/?a=1&amp;b=2)')).toEqual([
    { kind: 'paragraph', children: [{ kind: 'link', href: 'https://example.com/?a=1&b=2', children: [text('here')] }] },
  ])
  expect(readMarkdown('[here](javascript:alert(1))')).toEqual([paragraph('[here](javascript:alert(1))')])
})

test('a picture is its description and an address', () => {
  expect(readMarkdown('![a *cat*](https://example.com/cat.png)')).toEqual([
    { kind: 'paragraph', children: [{ kind: 'image', href: 'https://example.com/cat.png', description: 'a *cat*' }] },
  ])
})

test('what is too deep or too long to parse is plain text', () => {
  for (const source of ['>'.repeat(20_000), `${'- '.repeat(5000)}x`, 'a '.repeat(30_000)])
    expect(readMarkdown(source)).toEqual([paragraph(source)])
})

const table = (columns: number, rows: number): string =>
  `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${'a\n'.repeat(rows)}`

test.each([
  ['emphasis that closes at once', '_a_ _'.repeat(7800)],
  ['emphasis that never closes', '*a **a'.repeat(6500)],
  ['few delimiters, each searched to the end', `${'*a b '.repeat(900)}${'c '.repeat(15_000)}d*`],
  ['brackets', '['.repeat(39_000)],
  ['links without an end', `${'[a](b'.repeat(7800)})`],
  ['words with underscores', 'a_b'.repeat(13_000)],
  ['strikethrough', '~~a '.repeat(9000)],
  ['tasks', '- [x] a\n'.repeat(4800)],
  ['lines of a list item', `- a\n${'  a\n'.repeat(9000)}`],
  ['quotations that are continued', '> > a\nb\n'.repeat(4000)],
  ['cells of a table', table(4000, 8000)],
  ['addresses that end in punctuation', `http://a${'.'.repeat(1900)} `.repeat(20)],
])('%s: what costs more than the budget is plain text', (_, source) => {
  const budget = createWorkBudget(partUnits)
  expect(readMarkdown(source, budget)).toEqual([paragraph(source)])
  expect(budget.spent()).toBe(partUnits)
})

test('an answer that is only long, or has many links, is formatted', () => {
  for (const source of [
    'Rain falls on **dry** ground, and `code` runs. '.repeat(400),
    'See [the page](https://example.com/a_b?c=d&e=f). '.repeat(80),
    '- **Name**: what `it_does` and *why*\n'.repeat(300),
    '| a | b | c | d |\n|---|---|---|---|\n'.concat('| `x` | **2** | y | z |\n'.repeat(200)),
  ]) {
    const budget = createWorkBudget(partUnits)
    readMarkdown(source, budget)
    expect(budget.spent()).toBeLessThan(partUnits)
  }
})
