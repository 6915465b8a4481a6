import { expect, test } from 'vitest'
import { tokensPerSecond } from './turns.ts'

const timing = (everyMs: number, count: number) => {
  const moments = Array.from({ length: count }, (_, index) => 100 + index * everyMs)
  return { firstMs: 100, moments, endMs: moments.at(-1) ?? null }
}

test('an answer that arrived all at once has no speed, which would be that of the connection', () => {
  expect(tokensPerSecond(timing(10, 20), null)).toBeNull()
  expect(tokensPerSecond(timing(20, 19), null)).toBeNull()
  expect(tokensPerSecond(timing(20, 20), null)).toBe(50)
})
