import { expect, test } from 'vitest'
import { readMarkdown } from './read-markdown.ts'

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
