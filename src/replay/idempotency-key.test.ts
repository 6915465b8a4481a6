import { expect, test } from 'vitest'
import { hashIdempotencyKey, readIdempotencyKey } from './idempotency-key.ts'

test('no header, no key', () => {
  expect(readIdempotencyKey(undefined)).toBeNull()
})

test.each([['a'], ['order 17, try 2'], ['~'.repeat(255)], ['550e8400-e29b-41d4-a716-446655440000']])(
  '%s is one',
  (key) => {
    expect(readIdempotencyKey([key])).toBe(key)
  },
)

test.each([
  ['empty', ['']],
  ['blank', ['   ']],
  ['too long', ['x'.repeat(256)]],
  ['sent twice', ['a', 'a']],
  ['not ASCII', ['schlüssel']],
  ['with a tab', ['a\tb']],
  ['with a control character', ['a\x7f']],
])('%s is refused', (_, values) => {
  expect(() => readIdempotencyKey(values)).toThrow('1 to 255 printable ASCII characters')
})

test('the hash does not contain the key', () => {
  expect(Buffer.from(hashIdempotencyKey('abc')).toString('hex')).toMatch(/^ba7816bf/)
})
