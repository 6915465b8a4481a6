import fc from 'fast-check'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { words } from '../../../languages/en/console.ts'
import { language } from '../../../languages/en/language.ts'
import { anyMarkdown } from '../../../test/harness/any-markdown.ts'
import { hostileAnswers } from '../../../test/harness/hostile-answers.ts'
import { WordsProvider } from '../words-context.tsx'
import { MarkdownView } from './markdown-view.tsx'

const render = (text: string): string =>
  renderToStaticMarkup(createElement(Wrapped, null, createElement(MarkdownView, { text, caret: null })))

const spoken = { language, words, isComplete: true }
const spokenWords = { current: () => spoken, listen: () => () => {}, complete: async () => {}, speak: async () => {} }
const Wrapped = ({ children }: { children?: ReactNode }) => createElement(WordsProvider, { spokenWords, children })

/** Everything an answer may become. `svg`, `path` and `rect` are our icons, `button` is Copy. */
const allowed = new Map<string, readonly string[]>(
  Object.entries<readonly string[]>({
    a: ['href', 'title', 'target', 'rel'],
    blockquote: [],
    br: [],
    button: ['type', 'class', 'aria-label'],
    code: ['translate'],
    del: [],
    div: ['class', 'role', 'aria-label', 'tabindex'],
    em: [],
    h3: [],
    h4: [],
    h5: [],
    h6: [],
    hr: [],
    li: ['class'],
    ol: ['class', 'start'],
    p: [],
    path: ['d'],
    pre: ['tabindex', 'translate'],
    rect: ['width', 'height', 'x', 'y', 'rx', 'ry'],
    span: ['class', 'aria-live'],
    strong: [],
    svg: [
      'xmlns',
      'width',
      'height',
      'viewBox',
      'fill',
      'stroke',
      'stroke-width',
      'stroke-linecap',
      'stroke-linejoin',
      'class',
      'aria-hidden',
      'aria-label',
      'role',
    ],
    table: [],
    tbody: [],
    td: ['class'],
    th: ['class', 'scope'],
    thead: [],
    tr: [],
    ul: ['class'],
  }),
)

/** What React wrote: it escapes `<`, `>` and quotes in all text, so every one of them is its own. */
const findFaults = (markup: string): string[] => {
  const faults: string[] = []
  for (const [, name = '', attributes = ''] of markup.matchAll(/<([^\s/>]+)((?:\s[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/g)) {
    const names = allowed.get(name)
    if (names === undefined) faults.push(`<${name}>`)
    for (const [, attribute = '', value = ''] of attributes.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)) {
      if (names?.includes(attribute) === false) faults.push(`${name} ${attribute}`)
      if (attribute === 'href' && !/^(?:https?|mailto):/.test(value)) faults.push(value)
      if (attribute === 'rel' && !value.includes('noopener')) faults.push(value)
    }
  }
  if (markup.replaceAll(/<\/?[a-z][^<>]*>/g, '').match(/[<>]/)) faults.push('a bracket outside of tags')
  return faults
}

test('the check finds what an answer must not contain', () => {
  expect(findFaults('<p><script src="x">1</script></p>')).toEqual(['<script>'])
  expect(findFaults('<p onclick="x">1</p>')).toEqual(['p onclick'])
  expect(findFaults('<a href="javascript:x">1</a>')).toEqual(['javascript:x'])
})

test.each(hostileAnswers.map((answer) => [answer.slice(0, 60), answer]))(
  '%s shows text and does nothing',
  (_, answer) => {
    expect(findFaults(render(answer))).toEqual([])
  },
)

test('no text becomes an element, an attribute or a link that is not allowed', () => {
  fc.assert(
    fc.property(anyMarkdown, (text) => {
      expect(findFaults(render(text))).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('headings of an answer stand below those of the page', () => {
  expect(render('# One\n\n#### Four')).toBe('<div class="markdown"><h3>One</h3><h6>Four</h6></div>')
})

test('a link opens apart from the page, says where it leads, and says nothing of the page', () => {
  expect(render('[x](https://example.com)')).toContain(
    '<a href="https://example.com/" title="https://example.com/" target="_blank" rel="noopener noreferrer nofollow">x</a>',
  )
})

test('a picture is a link to it', () => {
  expect(render('![a cat](https://example.com/cat.png)')).toMatch(
    /<a href="https:\/\/example.com\/cat.png"[^>]*>Image: a cat<\/a>/,
  )
  expect(render('![a cat](cat.png)')).toBe('<div class="markdown"><p>Image: a cat</p></div>')
})
