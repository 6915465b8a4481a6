import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyMarkdown } from '../../../test/harness/any-markdown.ts'
import { type GrownMarkdown, growMarkdown, type MarkdownPart, noMarkdown } from './grow-markdown.ts'
import type { Block } from './markdown-tree.ts'
import { partUnits, readMarkdown } from './read-markdown.ts'

const allBlocks = ({ parts }: GrownMarkdown): readonly Block[] => parts.flatMap(({ blocks }) => blocks)
const grow = (steps: readonly string[]): GrownMarkdown =>
  steps.reduce((last, text) => growMarkdown(last, text, false), noMarkdown)

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
      expect(grown).toEqual(growMarkdown(noMarkdown, text, false))
    }),
    { numRuns: 2000 },
  )
})

test('its parts together mean what the text means as one', () => {
  fc.assert(
    fc.property(anyMarkdown, (text) => {
      expect(allBlocks(growMarkdown(noMarkdown, text, false))).toEqual(readMarkdown(text.replaceAll(/\r\n?/g, '\n')))
    }),
    { numRuns: 2000 },
  )
})

test('a part that has ended is neither parsed nor rendered again', () => {
  const before = growMarkdown(noMarkdown, '# One\n\nTwo.\n\n- a\n- b\n\nThr', false)
  expect(before.parts.map(({ text }) => text)).toEqual(['# One\n\n', 'Two.\n\n', '- a\n- b\n\nThr'])
  const after = growMarkdown(before, `${before.text}ee\n\nFour`, false)
  expect(after.parts.map(({ text }) => text)).toEqual(['# One\n\n', 'Two.\n\n', '- a\n- b\n\n', 'Three\n\nFour'])
  expect(after.parts[0]).toBe(before.parts[0])
  expect(after.parts[1]).toBe(before.parts[1])
})

test('blank lines in code do not end it', () => {
  const code = '```py\na = 1\n\nb = 2\n\n# c\n```\n\nDone.\n'
  expect(growMarkdown(noMarkdown, code, false).parts.map(({ text }) => text)).toEqual([
    '```py\na = 1\n\nb = 2\n\n# c\n```\n\n',
    'Done.\n',
  ])
})

test('an edited answer is parsed from its start', () => {
  const edited = growMarkdown(grow(['One.\n\nTwo.\n\nThree.']), 'One!\n\nTwo.', false)
  expect(edited).toEqual(growMarkdown(noMarkdown, 'One!\n\nTwo.', false))
})

const countUnits = ({ parts }: GrownMarkdown): number => parts.reduce((sum, { units }) => sum + units, 0)

test('an answer costs at most ten times what a part may cost; what follows is shown as it is', () => {
  const whole = growMarkdown(noMarkdown, `${'_a_ _'.repeat(30)}\n\n`.repeat(200), false)
  expect(countUnits(whole)).toBeLessThanOrEqual(10 * partUnits)
  expect(whole.parts.at(0)?.blocks).not.toEqual(asText(whole.parts.at(0)))
  expect(whole.parts.at(-1)?.blocks).toEqual(asText(whole.parts.at(-1)))
})

const asText = (part: MarkdownPart | undefined): unknown => [
  { kind: 'paragraph', children: [{ kind: 'text', text: part?.text }] },
]

test('while an answer grows by a character at a time, a part that costs much is parsed after several', () => {
  const text = 'see *this* and [that](https://example.com) '.repeat(60)
  let grown = noMarkdown
  let spent = 0
  for (let end = 1; end <= text.length; end += 1) {
    const next = growMarkdown(grown, text.slice(0, end), true)
    if (next !== grown) spent += countUnits(next)
    grown = next
  }
  expect(spent).toBeLessThanOrEqual(text.length * 60_000)
  expect(growMarkdown(grown, text, false)).toEqual(growMarkdown(noMarkdown, text, false))
})
