import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCuts, cutBytes } from '../../../../test/harness/cut-bytes.ts'
import { type ContentLogprob, createContentLogprobs } from './content-logprobs.ts'

const token = (bytes: Uint8Array | string, number = 0): ContentLogprob => ({
  bytes: Buffer.from(bytes),
  logprob: { logprob: -number, rank: 0, top: [] },
})
const shown = (logprobs: readonly ContentLogprob[]): [string, number][] =>
  logprobs.map(({ bytes, logprob }) => [Buffer.from(bytes).toString('hex'), -logprob.logprob])

test('a token with part of a character is reported with its own bytes, once the character is complete', () => {
  const tokens = createContentLogprobs()
  const [first = 0, ...rest] = Buffer.from('日')
  expect(tokens.push(token(Uint8Array.of(first), 1))).toBe('')
  expect(tokens.push(token(Uint8Array.from(rest), 2))).toBe('日')
  expect(shown(tokens.decide('日', true))).toEqual([
    ['e6', 1],
    ['97a5', 2],
  ])
})

test('of a token that ends in a stop sequence the part that is content is reported', () => {
  const tokens = createContentLogprobs()
  tokens.push(token('one', 1))
  tokens.push(token(' END', 2))
  expect(shown(tokens.decide('one ', true))).toEqual([['6f6e65', 1]])
  expect(shown(tokens.rest())).toEqual([['20', 2]])
})

test('tokens without bytes are reported with the content around them and never delay others', () => {
  const tokens = createContentLogprobs()
  for (const [number, text] of ['', 'a', '', '', 'b', ''].entries()) tokens.push(token(text, number))
  expect(shown(tokens.decide('a', true))).toEqual([
    ['', 0],
    ['61', 1],
    ['', 2],
    ['', 3],
  ])
  expect(shown(tokens.decide('b', false))).toEqual([])
  expect(tokens.rest()).toEqual([])
})

test('an incomplete character at the end is neither in the text nor reported', () => {
  const tokens = createContentLogprobs()
  expect(tokens.push(token(Uint8Array.of(0x61, 0xf0, 0x9f), 1))).toBe('')
  expect(tokens.push(token(Uint8Array.of(0x98), 2))).toBe('')
  expect(tokens.flush()).toBe('a')
  const reported = [...tokens.decide('a', true), ...tokens.rest()]
  expect(shown(reported).filter(([bytes]) => bytes !== '')).toEqual([['61', 1]])
})

test('for any bytes, the reported tokens joined are the content, byte for byte and in order', () => {
  const anyBytes = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => Buffer.from(text)),
      fc.constantFrom('e282', 'f09f98', 'eda0').map((hex) => Buffer.from(hex, 'hex')),
    ),
  )
  const parts = fc.array(fc.tuple(fc.nat({ max: 5 }), fc.boolean()))
  fc.assert(
    fc.property(anyBytes, anyCuts, parts, (list, cuts, decisions) => {
      const tokens = createContentLogprobs()
      const all = cutBytes(Buffer.concat(list), cuts)
      const text = all.map((bytes, number) => tokens.push(token(bytes, number))).join('') + tokens.flush()
      let [place, content] = [0, '']
      const reported: ContentLogprob[] = []
      for (const [length, isContent] of decisions) {
        // A part never ends within a character: parts come from decoded text.
        const part = [...text.slice(place)].slice(0, length).join('')
        place += part.length
        if (isContent) content += part
        reported.push(...tokens.decide(part, isContent))
      }
      reported.push(...tokens.rest())
      expect(Buffer.concat(reported.map(({ bytes }) => bytes))).toEqual(Buffer.from(content))
      const numbers = reported.map(({ logprob }) => -logprob.logprob)
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }),
    { numRuns: 1000 },
  )
})
