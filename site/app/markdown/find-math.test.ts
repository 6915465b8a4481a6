import { expect, test } from 'vitest'
import { findMath } from './find-math.ts'
import { readMarkdown } from './read-markdown.ts'

test.each([
  ['$x^2$ is', 'x^2', false],
  ['$$\nx = 1\n$$ so', '\nx = 1\n', true],
  ['\\(a_1 * b_1\\).', 'a_1 * b_1', false],
  ['\\[ \\sqrt{2} \\]', ' \\sqrt{2} ', true],
])('%j begins with a formula', (source, text, isBlock) => {
  expect(findMath(source)).toMatchObject({ text, isBlock })
})

test.each(['$5 and $10', '$5-$10 each', '$ x $', '$x', '$$x', '\\(x', '$$$$', '$a\nb$', 'x$y$'])(
  '%j begins with none',
  (source) => {
    expect(findMath(source)).toBeNull()
  },
)

test('formulas stand in the text of an answer, and their signs are no emphasis', () => {
  const [block] = readMarkdown('The area is $a_1 * b_1$, at \\(2*c*d\\), for $5 or `$x$`.')
  expect(block).toEqual({
    kind: 'paragraph',
    children: [
      { kind: 'text', text: 'The area is ' },
      { kind: 'math', text: 'a_1 * b_1', isBlock: false },
      { kind: 'text', text: ', at ' },
      { kind: 'math', text: '2*c*d', isBlock: false },
      { kind: 'text', text: ', for $5 or ' },
      { kind: 'code', text: '$x$' },
      { kind: 'text', text: '.' },
    ],
  })
})
