import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAnswerText } from './answer-text.ts'

const assemble = (pieces: Uint8Array[]): string[] => {
  const answer = createAnswerText([])
  return [...pieces.map((piece) => answer.push(piece).text), answer.flush()]
}

test('a character whose bytes come in four tokens appears once, whole', () => {
  const bytes = new TextEncoder().encode('👩')
  expect(assemble([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(['', '', '', '👩', ''])
})

test('an answer cut in the middle of a character loses that character only', () => {
  const bytes = new TextEncoder().encode('日本')
  expect(assemble([bytes.slice(0, 4)]).join('')).toBe('日')
})

test('any way of cutting the bytes gives the same text, and every piece is whole characters', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 40 })), (whole, cuts) => {
      const bytes = new TextEncoder().encode(whole)
      const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
      const pieces = places.slice(1).map((end, index) => bytes.slice(places[index], end))
      const texts = assemble(pieces)
      expect(texts.join('')).toBe(whole)
      for (const piece of texts) expect(piece.isWellFormed()).toBe(true)
    }),
  )
})
