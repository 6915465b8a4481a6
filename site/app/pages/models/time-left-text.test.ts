import { expect, test } from 'vitest'
import { language as english } from '../../../../languages/en/language.ts'
import { language as japanese } from '../../../../languages/ja/language.ts'
import { timeLeftText } from './time-left-text.ts'

test.each([
  [5_000, '1 min', '1 分'],
  [54_000, '9 mins', '9 分'],
  [360_000, '60 mins', '60 分'],
  [72_000_000, '200 hrs', '200 時間'],
])('of %d KB, 100 KB a second leave %s', (kilobytes, en, ja) => {
  const pull = { receivedBytes: 1000, totalBytes: kilobytes * 1000 + 1000, bytesPerSecond: 100_000 }
  expect([timeLeftText(pull, english), timeLeftText(pull, japanese)]).toEqual([en, ja])
})

test('nothing is said without a size or a speed, nor of the last seconds', () => {
  const pull = { receivedBytes: 0, totalBytes: 1e9, bytesPerSecond: 1e6 }
  expect(timeLeftText({ ...pull, totalBytes: null }, english)).toBeNull()
  expect(timeLeftText({ ...pull, bytesPerSecond: null }, english)).toBeNull()
  expect(timeLeftText({ ...pull, bytesPerSecond: 0 }, english)).toBeNull()
  expect(timeLeftText({ ...pull, receivedBytes: 0.99e9 }, english)).toBeNull()
})
