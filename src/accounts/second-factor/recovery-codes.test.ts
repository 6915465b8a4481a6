import { expect, test } from 'vitest'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'

test('there are ten different codes, in groups that can be read aloud', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/)
})

test('spaces, hyphens and case are ignored; the account is part of the hash', () => {
  const [code = ''] = newRecoveryCodes()
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `
  expect(hashRecoveryCode('usr_1', typed)).toEqual(hashRecoveryCode('usr_1', code))
  expect(hashRecoveryCode('usr_2', code)).not.toEqual(hashRecoveryCode('usr_1', code))
})
