import { expect, test } from 'vitest'
import { html } from '../html.ts'
import { markedText } from './marked-text.ts'

const shown = (text: string, names?: readonly string[]): string => html`${markedText(text, names)}`.html

test('what can be typed is shown as code, without its backticks and quotes', () => {
  expect(shown('deprecated form of `tools`')).toBe('deprecated form of <code>tools</code>')
  expect(shown('says "no such field"')).toBe('says <code>no such field</code>')
  expect(shown('is "" for text')).toBe('is <code>&#34;&#34;</code> for text')
  expect(shown('finish_reason is null')).toBe('<code>finish_reason</code> is null')
})

test('a message keeps its own quotes, and what differs is quiet', () => {
  expect(shown("use 'max_tokens'")).toBe('use &#39;max_tokens&#39;')
  expect(shown('got {actual}')).toBe('got <i class="muted">{actual}</i>')
})

test('a given name is found as a whole, also in Japanese', () => {
  const names = ['retry-after', 'retry-after-ms', 'param', '[DONE]']
  expect(shown('retry-after-ms', names)).toBe('<code>retry-after-ms</code>')
  expect(shown('paramはparameterと[DONE]', names)).toBe('<code>param</code>はparameterと<code>[DONE]</code>')
})
