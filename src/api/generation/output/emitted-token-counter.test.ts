import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCuts, cutBytes } from '../../../../test/harness/cut-bytes.ts'
import { EmittedTokenCounter } from './emitted-token-counter.ts'

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const open = ['e2', 'e282', 'f09f98', 'f0', 'e080', 'eda0', 'f4bfbf', 'c0', '80', 'ff', 'c3']
const anyBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', '日本', '👩', '\ufffd', '\ufeff').map((text) => Buffer.from(text)),
      fc.constantFrom(...open).map((hex) => Buffer.from(hex, 'hex')),
      fc.uint8Array({ maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts): Uint8Array => Buffer.concat(parts))

/** For each length of the emitted text: how many tokens have ended by then. */
const endsOf = (tokens: readonly Uint8Array[]): number[] => {
  const counter = new EmittedTokenCounter()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  for (const bytes of tokens) {
    const decoded = decoder.decode(bytes, { stream: true })
    text += decoded
    counter.push(bytes, decoded.length)
  }
  return Array.from({ length: text.length + 1 }, (_, length) => counter.within(length).tokens)
}

test('a token ends with the character of its last byte, however the bytes are divided', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'é', '日', '👩', 'END')), anyCuts, (parts, cuts) => {
      const characters = [...parts.join('')]
      const tokens = cutBytes(Buffer.from(parts.join('')), cuts)
      const emitted = endsOf(tokens)
      let [units, bytes] = [0, 0]
      for (const character of ['', ...characters]) {
        units += character.length
        bytes += Buffer.byteLength(character)
        let place = 0
        const whole = tokens.filter((token) => {
          place += token.length
          return place <= bytes
        })
        expect(emitted[units]).toBe(whole.length)
      }
    }),
    { numRuns: 1000 },
  )
})

test('in bytes that are not UTF-8, a token does not end before its own bytes', () => {
  fc.assert(
    fc.property(anyBytes, anyCuts, (bytes, cuts) => {
      const tokens = cutBytes(bytes, cuts)
      const emitted = endsOf(tokens)
      expect(emitted).toEqual(emitted.toSorted((a, b) => a - b))
      for (const [length, count] of emitted.entries()) {
        const own = Buffer.concat(tokens.slice(0, count))
        // Without an incomplete end, because it is not known yet what it becomes.
        const shown = decode(own).replace(/\ufffd+$/, '')
        expect(shown.length).toBeLessThanOrEqual(length)
      }
    }),
    { numRuns: 1000 },
  )
})

test('reasoning tokens are also counted separately, each once', () => {
  const counter = new EmittedTokenCounter()
  for (const text of ['<think>', 'a', 'b', '</think>', 'c']) {
    counter.push(Buffer.from(text), text.length)
    if (text === 'a' || text === 'b') {
      counter.markReasoning()
      counter.markReasoning()
    }
  }
  expect(counter.within(7)).toEqual({ tokens: 1, reasoning: 0 })
  expect(counter.within(8)).toEqual({ tokens: 2, reasoning: 1 })
  expect(counter.within(18)).toEqual({ tokens: 5, reasoning: 2 })
  expect(counter.reasoningTokens).toBe(2)
})
