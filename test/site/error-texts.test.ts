import { expect, test } from 'vitest'
import { errors as en } from '../../languages/en/console/errors.ts'
import { errors as ja } from '../../languages/ja/console/errors.ts'
import { PlatformError } from '../../site/platform/platform-error.ts'
import { errorText } from '../../site/words/error-text.ts'
import { errorCatalogue } from '../../src/base/error-catalogue.ts'
import { platformErrorNames } from '../../src/platform/contract/platform-error-names.ts'

test.each(platformErrorNames)('%s has a text in both languages', (name) => {
  const { status, code, message } = errorCatalogue[name]
  const error = new PlatformError({ status, code: code ?? '', message })
  for (const words of [en, ja]) {
    expect(errorText(error, words).length).toBeGreaterThan(5)
    expect(errorText(error, words)).not.toBe(words.refused)
    expect(errorText(error, words)).not.toBe(words.server_fault)
  }
})

test.each(['too_short', 'too_long', 'common', 'same_as_email'])('a password that is %s gets its own text', (reason) => {
  const message = errorCatalogue.weak_password.message.replace('{reason}', reason)
  const error = new PlatformError({ status: 400, code: 'weak_password', message })
  expect(errorText(error, en)).not.toBe(en.weak_password)
})

test('the time to wait is given in whole seconds, or in minutes if it is long', () => {
  const wait = (retryAfterMs: number | null) =>
    errorText(new PlatformError({ status: 429, code: 'too_many_attempts', message: '', retryAfterMs }), en)
  expect(wait(23_000)).toBe('Too many attempts. Try again in 23 seconds.')
  expect(wait(600_000)).toBe('Too many attempts. Try again in 10 minutes.')
  expect(wait(null)).toBe('Too many attempts. Try again later.')
})

test('an unexpected error still has a text', () => {
  expect(errorText(new PlatformError({ status: 500, code: 'x', message: '' }), en)).toBe(en.server_fault)
  expect(errorText(new PlatformError({ status: 400, code: 'constructor', message: '' }), en)).toBe(en.refused)
  expect(errorText(new TypeError('x'), ja)).toBe(ja.server_fault)
})
