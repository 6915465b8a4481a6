import { expect, test } from 'vitest'
import { lastPromptTokens, promptTokens } from './prompt-tokens.ts'

/** Characters are tokens; `§` is a special token that is matched in any text, `¶` one that plain text cannot reach. */
const vocabulary = {
  bos: { id: 1, text: '§' },
  prependBos: true,
  special: new Map([
    [1, '§'],
    [2, '¶'],
    [3, 'ab'],
  ]),
  tokenise: (text: string, { special }: { special: boolean }) =>
    (text.match(/ab|./gu) ?? []).map((part) => {
      if (part === '§' && special) return 1
      if (part === '¶' && special) return 2
      return part === 'ab' ? 3 : 1000 + (part.codePointAt(0) ?? 0)
    }),
}
const code = (text: string) => 1000 + (text.codePointAt(0) ?? 0)

test('a BOS token is put in front once', () => {
  expect(promptTokens([{ text: 'x', plain: false }], vocabulary).tokens).toEqual([1, code('x')])
  expect(promptTokens([{ text: '§x', plain: false }], vocabulary).tokens).toEqual([1, code('x')])
})

test('a model that wants no BOS token gets none', () => {
  expect(promptTokens([{ text: 'x', plain: false }], { ...vocabulary, prependBos: false }).tokens).toEqual([code('x')])
})

test('special texts count in the template and not in a message', () => {
  const pieces = [
    { text: '¶', plain: false },
    { text: '¶', plain: true },
  ]
  expect(promptTokens(pieces, vocabulary).tokens).toEqual([1, 2, code('¶')])
})

test('a token that is matched in any text is taken apart in a message', () => {
  expect(promptTokens([{ text: 'ab', plain: true }], vocabulary).tokens).toEqual([1, code('a'), code('b')])
})

test('a prompt that cannot fit is not read to its end', () => {
  let read = 0
  const counting = {
    ...vocabulary,
    tokenise(text: string, options: { special: boolean; continued: boolean }) {
      read += text.length
      return vocabulary.tokenise(text, options)
    },
  }
  const book = [{ text: 'x'.repeat(1_000_000), plain: false }]
  const { tokens, complete } = promptTokens(book, counting, 100)
  expect(complete).toBe(false)
  expect(tokens.length).toBeGreaterThan(100)
  expect(read).toBeLessThan(10_000)
  const pages = Array.from({ length: 10_000 }, () => ({ text: 'xxxx', plain: true }))
  expect(promptTokens(pages, counting, 100).complete).toBe(false)
  expect(read).toBeLessThan(10_000)
})

test('a prompt at the limit is counted whole', () => {
  const { tokens, complete } = promptTokens([{ text: 'x'.repeat(99), plain: false }], vocabulary, 100)
  expect(complete).toBe(true)
  expect(tokens).toHaveLength(100)
})

test('of a prompt whose last tokens are wanted, only the end is read', () => {
  let read = 0
  const counting = {
    ...vocabulary,
    tokenise(text: string, options: { special: boolean; continued: boolean }) {
      read += text.length
      return vocabulary.tokenise(text, options)
    },
  }
  const pieces = [
    { text: 'ab'.repeat(500_000), plain: true },
    { text: 'xyz', plain: false },
  ]
  const last = (max: number) => lastPromptTokens(pieces, counting, max)
  expect(last(5)).toEqual({ tokens: ['a', 'b', 'x', 'y', 'z'].map(code), complete: true })
  expect(read).toBeLessThan(500_000)
  expect(last(10_000).tokens).toHaveLength(10_000)
})

test.each([1, 2, 7, 100])('of a short prompt, the last %i tokens are those of the whole prompt', (max) => {
  const pieces = [
    { text: '§ab¶ 😀', plain: false },
    { text: 'ab§ xyz', plain: true },
  ]
  expect(lastPromptTokens(pieces, vocabulary, max).tokens).toEqual(promptTokens(pieces, vocabulary).tokens.slice(-max))
})
