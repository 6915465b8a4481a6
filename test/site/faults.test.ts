import { expect, test } from 'vitest'
import { PlatformError } from '../../site/platform/platform-error.ts'
import { platformErrorNames } from '../../site/platform/platform-error-names.ts'
import { faults as en } from '../../site/words/en/faults.ts'
import { faultText } from '../../site/words/fault-text.ts'
import { faults as ja } from '../../site/words/ja/faults.ts'
import { errorCatalogue } from '../../src/base/error-catalogue.ts'

test.each(platformErrorNames)('%s is told in both languages', (name) => {
  const { status, code, message } = errorCatalogue[name]
  const error = new PlatformError({ status, code: code ?? '', message })
  for (const words of [en, ja]) {
    expect(faultText(error, words).length).toBeGreaterThan(5)
    expect(faultText(error, words)).not.toBe(words.refused)
    expect(faultText(error, words)).not.toBe(words.server_fault)
  }
})

test.each(['too_short', 'too_long', 'common', 'same_as_email'])('a password that is %s is told so', (reason) => {
  const message = errorCatalogue.weak_password.message.replace('{reason}', reason)
  const error = new PlatformError({ status: 400, code: 'weak_password', message })
  expect(faultText(error, en)).not.toBe(en.weak_password)
})

test('how long to wait is told in whole seconds, or in minutes where it is long', () => {
  const wait = (retryAfterMs: number | null) =>
    faultText(new PlatformError({ status: 429, code: 'too_many_attempts', message: '', retryAfterMs }), en)
  expect(wait(23_000)).toBe('Too many attempts. Try again in 23 seconds.')
  expect(wait(600_000)).toBe('Too many attempts. Try again in 10 minutes.')
  expect(wait(null)).toBe('Too many attempts. Try again later.')
})

test('what nobody foresaw is still told', () => {
  expect(faultText(new PlatformError({ status: 500, code: 'x', message: '' }), en)).toBe(en.server_fault)
  expect(faultText(new PlatformError({ status: 400, code: 'constructor', message: '' }), en)).toBe(en.refused)
  expect(faultText(new TypeError('x'), ja)).toBe(ja.server_fault)
})
