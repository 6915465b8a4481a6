import { expect, onTestFinished, test, vi } from 'vitest'
import { toMarkdown } from './to-markdown.ts'

const page = (paragraphs: number): string =>
  `<main>${'<p>See <code>max_tokens</code> and <a href="/docs/limits">limits</a>, then go on.</p>'.repeat(paragraphs)}</main>`

/** How many characters are given to expressions that look through a whole text for one thing. */
const searched = (paragraphs: number): number => {
  let characters = 0
  const { exec } = RegExp.prototype
  const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
    if (!this.global && !this.sticky) characters += text.length
    return exec.call(this, text)
  })
  try {
    toMarkdown(page(paragraphs))
  } finally {
    spy.mockRestore()
  }
  return characters
}

test('a page that is twice as long is looked through twice as much, and no more', () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const once = searched(200)
  expect(once).toBeGreaterThan(0)
  expect(searched(400) / once).toBeLessThan(2.1)
})

test('words keep one space between them, whatever the elements around them', () => {
  expect(toMarkdown('<main><p> See  <b> both </b> <code>a</code> and\n<a href="/x"> this</a>.</p></main>')).toBe(
    'See both `a` and [ this]({{origin}}/x).\n',
  )
  expect(toMarkdown('<main><table><tr> <th>A</th><th> B <i>c</i></th></tr></table></main>')).toBe(
    '| A | B c |\n|---|---|\n',
  )
})
