import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toBase62 } from './base62.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const read = (digits: string): bigint =>
  [...digits].reduce((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n)

test('a number can be read back from its digits, which have the requested length', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 62n ** 24n - 1n }), (value) => {
      const digits = toBase62(value, 24)
      expect(digits).toHaveLength(24)
      expect(read(digits)).toBe(value)
    }),
  )
})

test('a number that needs more digits is refused', () => {
  expect(toBase62(61n, 1)).toBe('z')
  expect(() => toBase62(62n, 1)).toThrow(RangeError)
})
