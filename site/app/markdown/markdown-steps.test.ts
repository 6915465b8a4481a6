import { expect, test } from 'vitest'
import { partUnits, readMarkdown } from './read-markdown.ts'
import { createWorkBudget } from './work-budget.ts'

/** Each begins or ends something, or looks as if it might. */
const tokens = [
  ...[
    '$',
    '$ ',
    'a$',
    '$a ',
    '$a$ ',
    '$1 ',
    '$$',
    '$$ ',
    '$$a$$ ',
    '$]',
    '$`',
    '日本 $',
    '\\$',
    '\\(',
    '\\(a\\) ',
    '\\[',
    '\\[',
  ],
  ...[
    '`',
    '` ',
    '``a',
    '`a` ',
    '```\n',
    '~~~\n',
    '*',
    '**a',
    '*a* ',
    '*a **a',
    '_',
    '_a_',
    '__a',
    'a_b',
    '~',
    '~~a ',
    '* *\n',
  ],
  ...[
    '[',
    '[ ',
    ']',
    '[]',
    '[a]',
    '[a](',
    '[a](b',
    '[a](b) ',
    '![',
    '![a](',
    '[a]: ',
    '[^a]',
    '(',
    ')',
    '!',
    '\\',
    '\\\n',
  ],
  ...[
    '<',
    '<a ',
    '<br>',
    '<!--',
    '</a>',
    '<http:',
    '&',
    '&amp;',
    '&#',
    'http://a',
    'http://a.',
    'www.',
    'a@',
    'a@b.c ',
    'a.b',
  ],
  ...[
    '|',
    '|a',
    'a|\n',
    '|-|',
    'a|b\n-|-\n',
    '> ',
    '>\n',
    '> a\n',
    '- ',
    '- a\n',
    '- [x] a\n',
    '1. ',
    '1. a\n',
    '# ',
    '# a\n',
  ],
  ...['---\n', '===\n', '    a\n', '\n', 'a\n', 'a\n\n', 'a  \n', ' ', '\t', '"', "'", '😀', '日本', '^', '{'],
]
const characters = 10_000

test.each<[string, (text: string) => string]>([
  ['alone', (text) => text],
  ['in a list, before other text', (text) => `- ${text}${'a'.repeat(characters)}`],
])('whatever is repeated, the parser pays for what it looks at, and looks at little again (%s)', (_, form) => {
  const unpaid = tokens.flatMap((token) => {
    const budget = createWorkBudget(partUnits)
    const source = form(token.repeat(characters / token.length))
    const steps = countSteps(() => readMarkdown(source, budget))
    return steps <= 3 * (budget.spent() + source.length) ? [] : [`${JSON.stringify(token)}: ${steps} steps`]
  })
  expect(unpaid).toEqual([])
})

test('a formula costs what its typesetting does, so an answer full of them is text', () => {
  const cost = (source: string): number => {
    const budget = createWorkBudget(partUnits)
    readMarkdown(source, budget)
    return budget.spent()
  }
  const one = '$\\sum_{i=1}^n x_i^2$, '
  expect(cost(one.repeat(40))).toBeLessThan(partUnits / 4)
  expect(cost(one.repeat(400))).toBe(partUnits)
})

/** How many characters expressions and searches went through, to the end of what they found. What an expression reads in vain is not known. */
const countSteps = (work: () => void): number => {
  let steps = 0
  const { exec } = RegExp.prototype
  const { indexOf } = String.prototype
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = exec.call(this, text)
    steps += found === null ? 1 : found.index + found[0].length - from
    return found
  }
  String.prototype.indexOf = function (searched, from = 0) {
    const found = indexOf.call(this, searched, from)
    steps += (found === -1 ? this.length : found) - from
    return found
  }
  try {
    work()
  } finally {
    RegExp.prototype.exec = exec
    String.prototype.indexOf = indexOf
  }
  return steps
}
