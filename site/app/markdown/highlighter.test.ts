import { expect, test } from 'vitest'
import { highlightedEnd } from './highlighted-end.ts'
import { highlight } from './highlighter.ts'

test('code keeps every character, and its kinds have looks', () => {
  const code = 'def f(x):\n    # why\n    return "a<b" + str(x)\n'
  const runs = highlight('py', code)
  expect(runs.map(({ text }) => text).join('')).toBe(code)
  expect(runs).toEqual(
    expect.arrayContaining([
      { look: 'keyword', text: 'def' },
      { look: 'title', text: 'f' },
      { look: 'comment', text: '# why' },
      { look: 'string', text: '"a<b"' },
    ]),
  )
})

test('an unknown language is not guessed', () => {
  expect(highlight('klingon', 'return 1')).toEqual([{ look: 'plain', text: 'return 1' }])
  expect(highlight('', 'return 1')).toEqual([{ look: 'plain', text: 'return 1' }])
  expect(highlight('constructor', 'return 1')).toEqual([{ look: 'plain', text: 'return 1' }])
})

test.each([
  ['c', 'using '.repeat(3000)],
  ['cpp', 'a\n'.repeat(9000)],
  ['js', '`${\n'.repeat(4000)],
])('%s that would take long, or is nested too deeply, has one look', (language, code) => {
  expect(highlight(language, code)).toEqual([{ look: 'plain', text: code }])
})

test('while code grows it is highlighted in few steps, each further than the last and at the end of a line', () => {
  const code = 'let a = 1\n'.repeat(600)
  const ends = new Set<number>()
  let last = 0
  for (let length = 0; length <= code.length; length += 1) {
    const end = highlightedEnd(code.slice(0, length), true)
    expect(end).toBeGreaterThanOrEqual(last)
    expect(end % 10).toBe(0)
    last = end
    ends.add(end)
  }
  expect(ends.size).toBeLessThan(60)
  expect(highlightedEnd(code, false)).toBe(code.length)
  expect(highlightedEnd(code.repeat(4), false)).toBe(0)
})
