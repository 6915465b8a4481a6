import { expect, test } from 'vitest'
import { PlatformError } from '../../site/platform/platform-error.ts'
import { platformErrorNames } from '../../site/platform/platform-error-names.ts'
import { errors as en } from '../../site/words/en/errors.ts'
import { errorText } from '../../site/words/error-text.ts'
import { errors as ja } from '../../site/words/ja/errors.ts'
import { errorCatalogue } from '../../src/base/error-catalogue.ts'

test.each(platformErrorNames)('%s is told in both languages', (name) => {
  const { status, code, message } = errorCatalogue[name]
  const error = new PlatformError({ status, code: code ?? '', message })
  for (const words of [en, ja]) {
    expect(errorText(error, words).length).toBeGreaterThan(5)
    expect(errorText(error, words)).not.toBe(words.refused)
    expect(errorText(error, words)).not.toBe(words.server_fault)
  }
})

test.each(['too_short', 'too_long', 'common', 'same_as_email'])('a password that is %s is told so', (reason) => {
  const message = errorCatalogue.weak_password.message.replace('{reason}', reason)
  const error = new PlatformError({ status: 400, code: 'weak_password', message })
  expect(errorText(error, en)).not.toBe(en.weak_password)
})

test('how long to wait is told in whole seconds, or in minutes where it is long', () => {
  const wait = (retryAfterMs: number | null) =>
    errorText(new PlatformError({ status: 429, code: 'too_many_attempts', message: '', retryAfterMs }), en)
  expect(wait(23_000)).toBe('Too many attempts. Try again in 23 seconds.')
  expect(wait(600_000)).toBe('Too many attempts. Try again in 10 minutes.')
  expect(wait(null)).toBe('Too many attempts. Try again later.')
})

test('what nobody foresaw is still told', () => {
  expect(errorText(new PlatformError({ status: 500, code: 'x', message: '' }), en)).toBe(en.server_fault)
  expect(errorText(new PlatformError({ status: 400, code: 'constructor', message: '' }), en)).toBe(en.refused)
  expect(errorText(new TypeError('x'), ja)).toBe(ja.server_fault)
})
