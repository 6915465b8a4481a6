import { expect, test } from 'vitest'
import { ApiError } from '../../base/api-error.ts'
import { checkPassword } from './check-password.ts'
import { commonPasswords } from './common-passwords.ts'

const verdict = (password: string): string => {
  try {
    checkPassword(password, 'anna@example.com', 'password')
    return 'good'
  } catch (error) {
    return error instanceof ApiError ? (/\((\w+)\)/.exec(error.message)?.[1] ?? '') : String(error)
  }
}

test.each([
  'correct horse battery',
  'Trail-mix 1984 pigeons',
  'わたしのひみつのことば',
  'ten chars!',
  'これはabcの秘密です',
  'passwords are a nuisance',
  'k7#mQ2vX9z',
  '🐙🦑🦐🐚🦀🐡🐠🐟🐬🐳',
])('an uncommon password is accepted: %s', (password) => {
  expect(verdict(password)).toBe('good')
})

test.each([
  ...commonPasswords,
  'PASSWORD1234',
  'Password!!!!',
  '!!!Welcome2026!!!',
  'l3tm31n12345',
  'abababababab',
  'abcabcabcabca',
  'zyxwvutsrq',
  '1985121519',
  'ANNA@example.com',
])('a common password is refused: %s', (password) => {
  expect(['common', 'same_as_email']).toContain(verdict(password))
})

test('the length is counted in characters, not in bytes or code units', () => {
  expect(verdict('🐙🦑🦐🐚🦀🐡🐠🐟🐬')).toBe('too_short')
  expect(verdict('aB3$'.repeat(3).concat('x'.repeat(244)))).toBe('good')
  expect(verdict('aB3$'.repeat(3).concat('x'.repeat(245)))).toBe('too_long')
})

test('a password may be as long however an input method writes its characters', () => {
  const syllables = Array.from({ length: 256 }, (_, index) => String.fromCodePoint(0xac01 + 28 * index)).join('')
  expect(verdict(syllables.normalize('NFD'))).toBe('good')
  expect(verdict(`${syllables}한`.normalize('NFD'))).toBe('too_long')
})
