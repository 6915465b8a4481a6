import { expect, test } from 'vitest'
import { withoutTrailingSlashes } from './without-trailing-slashes.ts'

test.each([
  ['https://a.example/v1//', 'https://a.example/v1'],
  ['https://a.example//v1', 'https://a.example//v1'],
  ['///', ''],
  ['', ''],
  [`${'/'.repeat(1_000_000)}x`, `${'/'.repeat(1_000_000)}x`],
])('slashes at the end are removed, others are not, however many', (text, expected) => {
  expect(withoutTrailingSlashes(text)).toBe(expected)
})
