import { expect, test } from 'vitest'
import { requestTokenLimit, tokeniseInputs } from './tokenise-inputs.ts'

const contextTokens = 10
/** One token per word. */
const openTokeniser = () => {
  let readChars = 0
  return {
    readChars: () => readChars,
    embedder: {
      contextTokens,
      vocabularyTokens: 100,
      endTokens: 0,
      async tokenise(text: string) {
        readChars += text.length
        return Uint32Array.from(
          text.split(' ').filter((word) => word !== ''),
          (word) => word.length,
        )
      },
    },
  }
}
const tokenise = (inputs: readonly string[] | readonly number[][], isWanted = () => true) =>
  tokeniseInputs(inputs, openTokeniser().embedder, isWanted)

test('texts become tokens, and token ids stay what they are', async () => {
  expect(await tokenise(['a bb', 'ccc'])).toEqual({ inputs: [Uint32Array.of(1, 2), Uint32Array.of(3)] })
  expect(await tokenise([[7, 99]])).toEqual({ inputs: [Uint32Array.of(7, 99)] })
})

test.each([
  [['a', ' '], { reason: 'empty', index: 1 }],
  [[[1], [2, 100]], { reason: 'unknown_token', index: 1, token: 100 }],
  [['a '.repeat(11)], { reason: 'too_long', index: 0, tokens: 11, isComplete: true }],
  [[new Array(11).fill(1)], { reason: 'too_long', index: 0, tokens: 11, isComplete: true }],
] as const)('%j is refused', async (inputs, refusal) => {
  expect(await tokenise(inputs as readonly string[])).toEqual({ refusal })
})

test('all inputs of a request together are limited', async () => {
  const inputs = new Array<number[]>(requestTokenLimit / contextTokens + 1).fill(new Array(contextTokens).fill(1))
  expect(await tokenise(inputs)).toEqual({ refusal: { reason: 'too_many_tokens', limit: requestTokenLimit } })
})

test('of a text that is far too long only the beginning is read', async () => {
  const { embedder, readChars } = openTokeniser()
  const outcome = await tokeniseInputs(['a '.repeat(1_000_000)], embedder, () => true)
  expect(outcome).toMatchObject({ refusal: { reason: 'too_long', isComplete: false } })
  expect(readChars()).toBeLessThan(1000)
})

test('once the request is cancelled no further input is read', async () => {
  const { embedder, readChars } = openTokeniser()
  await tokeniseInputs(['aaa', 'bbb', 'ccc'], embedder, () => readChars() === 0)
  expect(readChars()).toBe(3)
})

/** One token per word, between a first and a last one. */
const framed = {
  contextTokens,
  vocabularyTokens: 100,
  endTokens: 1,
  tokenise: async (text: string, role: string) => {
    const words = text.split(' ').map(Number)
    return Uint32Array.from(role === 'input' ? [98, ...words, 99] : words)
  },
}
test.each([
  ['is cut to what the model accepts, with its last token', { maxTokens: -1 }, [98, 1, 2, 3, 4, 5, 6, 7, 8, 99]],
  ['is cut to fewer tokens', { maxTokens: 3 }, [98, 1, 99]],
  ['is cut to a single token', { maxTokens: 1 }, [98]],
])('a text %s', async (_, options, expected) => {
  const outcome = await tokeniseInputs(['1 2 3 4 5 6 7 8 9 10'], framed, () => true, options)
  expect(outcome).toEqual({ inputs: [Uint32Array.from(expected)] })
})

test('token ids are cut at their end, short inputs are not cut, and a bare text has no other tokens', async () => {
  const inputs = [Array.from({ length: 12 }, (_, index) => index), '1 2']
  expect(await tokeniseInputs(inputs, framed, () => true, { maxTokens: 5 })).toEqual({
    inputs: [Uint32Array.of(0, 1, 2, 3, 4), Uint32Array.of(98, 1, 2, 99)],
  })
  expect(await tokeniseInputs(['1 2'], framed, () => true, { isBare: true })).toEqual({
    inputs: [Uint32Array.of(1, 2)],
  })
})

test('a text that may be longer than the model accepts is refused with all of its tokens', async () => {
  const outcome = await tokeniseInputs(['1 2 3 4 5 6 7 8 9 10'], framed, () => true, { maxTokens: 11 })
  expect(outcome).toEqual({ refusal: { reason: 'too_long', index: 0, tokens: 12, isComplete: true } })
})
