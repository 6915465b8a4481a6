import { expect, test } from 'vitest'
import { words as en } from '../../../../languages/en/admin.ts'
import { language as english } from '../../../../languages/en/language.ts'
import { words as ja } from '../../../../languages/ja/admin.ts'
import { language as japanese } from '../../../../languages/ja/language.ts'
import { wrongSettingText } from './wrong-setting-text.ts'

test('a figure out of its range is said in the language of the reader, anything else as the server says it', () => {
  const outOfRange = `'signUpsPerHour': expected an integer from 1 to 1000000, not "abc".`
  expect(wrongSettingText(outOfRange, en, english)).toBe('Enter a whole number from 1 to 1,000,000.')
  expect(wrongSettingText(outOfRange, ja, japanese)).toBe('1から1,000,000までの整数を入力してください。')
  expect(wrongSettingText(`HELIX_SMTP_URL requires HELIX_MAIL_FROM, the sender address for email.`, ja, japanese)).toBe(
    '差出人も入力してください。',
  )
  expect(wrongSettingText(`'smtpUrl': not a URL.`, ja, japanese)).toBe('Not a URL.')
})
