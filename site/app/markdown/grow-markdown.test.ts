import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyMarkdown } from '../../../test/harness/any-markdown.ts'
import { type GrownMarkdown, growMarkdown, noMarkdown } from './grow-markdown.ts'
import type { Block } from './markdown-tree.ts'
import { readMarkdown } from './read-markdown.ts'

const blocksOf = ({ parts }: GrownMarkdown): readonly Block[] => parts.flatMap(({ blocks }) => blocks)
const grow = (steps: readonly string[]): GrownMarkdown => steps.reduce(growMarkdown, noMarkdown)

/** A text, and the lengths at which it was seen while it grew. */
const growing = anyMarkdown.chain((text) =>
  fc.record({
    text: fc.constant(text),
    ends: fc.array(fc.nat({ max: text.length }), { maxLength: 12 }).map((ends) => ends.toSorted((a, b) => a - b)),
  }),
)

test('however an answer is cut into tokens, its blocks are those of the whole', () => {
  fc.assert(
    fc.property(growing, ({ text, ends }) => {
      const grown = grow([...ends.map((end) => text.slice(0, end)), text])
      expect(grown).toEqual(growMarkdown(noMarkdown, text))
    }),
    { numRuns: 2000 },
  )
})

test('its parts together mean what the text means as one', () => {
  fc.assert(
    fc.property(anyMarkdown, (text) => {
      expect(blocksOf(growMarkdown(noMarkdown, text))).toEqual(readMarkdown(text.replaceAll(/\r\n?/g, '\n')))
    }),
    { numRuns: 2000 },
  )
})

test('a part that has ended is neither parsed nor rendered again', () => {
  const before = growMarkdown(noMarkdown, '# One\n\nTwo.\n\n- a\n- b\n\nThr')
  expect(before.parts.map(({ text }) => text)).toEqual(['# One\n\n', 'Two.\n\n', '- a\n- b\n\nThr'])
  const after = growMarkdown(before, `${before.text}ee\n\nFour`)
  expect(after.parts.map(({ text }) => text)).toEqual(['# One\n\n', 'Two.\n\n', '- a\n- b\n\n', 'Three\n\nFour'])
  expect(after.parts[0]).toBe(before.parts[0])
  expect(after.parts[1]).toBe(before.parts[1])
})

test('blank lines in code do not end it', () => {
  const code = '```py\na = 1\n\nb = 2\n\n# c\n```\n\nDone.\n'
  expect(growMarkdown(noMarkdown, code).parts.map(({ text }) => text)).toEqual([
    '```py\na = 1\n\nb = 2\n\n# c\n```\n\n',
    'Done.\n',
  ])
})

test('an edited answer is parsed from its start', () => {
  const edited = growMarkdown(grow(['One.\n\nTwo.\n\nThree.']), 'One!\n\nTwo.')
  expect(edited).toEqual(growMarkdown(noMarkdown, 'One!\n\nTwo.'))
})
