import { expect, test } from 'vitest'
import { toSearchText } from './to-search-text.ts'

test.each([
  ['ＡＢＣ', 'abc'],
  [' Ｃａｆe\u0301\n\tnow ', 'café now'],
  // Written by nobody, and dear to put in order.
  [`e${'\u0316\u0301'.repeat(16_000)}x`, `é${'\u0316'.repeat(15)}${'\u0301'.repeat(14)}x`],
])('forms of the same character find each other, and endless marks are cut', (text, expected) => {
  expect(toSearchText(text)).toBe(expected)
})
