import { expect, test } from 'vitest'
import { promptTokens } from './prompt-tokens.ts'

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
  expect(promptTokens([{ text: 'x', plain: false }], vocabulary)).toEqual([1, code('x')])
  expect(promptTokens([{ text: '§x', plain: false }], vocabulary)).toEqual([1, code('x')])
})

test('a model that wants no BOS token gets none', () => {
  expect(promptTokens([{ text: 'x', plain: false }], { ...vocabulary, prependBos: false })).toEqual([code('x')])
})

test('special texts count in the template and not in a message', () => {
  const pieces = [
    { text: '¶', plain: false },
    { text: '¶', plain: true },
  ]
  expect(promptTokens(pieces, vocabulary)).toEqual([1, 2, code('¶')])
})

test('a token that is matched in any text is taken apart in a message', () => {
  expect(promptTokens([{ text: 'ab', plain: true }], vocabulary)).toEqual([1, code('a'), code('b')])
})
