import { expect, test } from 'vitest'
import { html } from '../html.ts'
import { colouredCode } from './coloured-code.ts'

test('code gets its colours around the marks it has already, and its text stays the same', () => {
  const code = html`const url = '<span class="own-value">${'http://a&b/v1'}</span>' // ${'<here>'}`
  const coloured = colouredCode('typescript', code).html
  expect(coloured).toContain('<span class="keyword">const</span>')
  expect(coloured).toContain('<span class="own-value"><span class="string">http://a&#38;b/v1</span></span>')
  expect(coloured).toContain('<span class="comment">// &#60;here&#62;</span>')
  const plain = (text: string): string => text.replace(/<[^>]*>/g, '')
  expect(plain(coloured)).toBe(plain(code.html).replaceAll("'", '&#39;'))
})

test('a language that is not known stays plain', () => {
  expect(colouredCode('text/event-stream', html`data: ${'x'}`).html).toBe('data: x')
})
