import fc from 'fast-check'
import { expect, test } from 'vitest'
import { incompleteTailLength } from './utf8-tail.ts'

const lead = fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff)
const anyBytes = fc.array(fc.oneof(lead, fc.integer({ min: 0x80, max: 0xbf }), fc.nat({ max: 255 })), { maxLength: 8 })

test('the incomplete bytes are those that a streaming decoder holds back', () => {
  fc.assert(
    fc.property(anyBytes, (list) => {
      const bytes = Uint8Array.from(list)
      const whole = bytes.subarray(0, bytes.length - incompleteTailLength(bytes))
      const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
      expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole)).toBe(decoded)
    }),
    { numRuns: 5000 },
  )
})

test('characters of every length are complete only with their last byte', () => {
  for (const character of ['a', 'é', '日', '👩', '\u0800', '\ud7ff', '\u{10000}', '\u{10ffff}']) {
    const bytes = Buffer.from(`x${character}`)
    for (let length = 1; length < bytes.length; length += 1)
      expect(incompleteTailLength(bytes.subarray(0, length))).toBe(length - 1)
    expect(incompleteTailLength(bytes)).toBe(0)
  }
})
