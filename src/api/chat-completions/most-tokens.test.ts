import { expect, test } from 'vitest'
import { openSampling } from '../../../test/harness/engine-request.ts'
import { mostTokensOf } from './most-tokens.ts'

const asked = (n: number, maxTokens: number | null, content = 'Hi') => ({
  n,
  sampling: { ...openSampling, maxTokens },
  sent: { messages: [{ role: 'user', content }] },
})

test('reserved are the prompt once and the most of every choice', () => {
  const model = { contextTokens: 1000 }
  expect(mostTokensOf(asked(1, 50), model, { promptTokens: 10 })).toEqual({ promptTokens: 10, completionTokens: 50 })
  expect(mostTokensOf(asked(3, 50), model, { promptTokens: 10 })).toEqual({ promptTokens: 10, completionTokens: 150 })
  expect(mostTokensOf(asked(2, null), model, { promptTokens: 10 })).toEqual({
    promptTokens: 10,
    completionTokens: 2 * 990,
  })
})

test('behind an upstream that tells nothing beforehand the reservation is a guess, and never nothing', () => {
  const unknown = { promptTokens: null }
  const short = mostTokensOf(asked(1, null), { contextTokens: null }, unknown)
  expect(short.completionTokens).toBe(4096)
  expect(short.promptTokens).toBeGreaterThan(0)
  const long = mostTokensOf(asked(1, 7, '日本'.repeat(1000)), { contextTokens: null }, unknown)
  expect(long.promptTokens).toBeGreaterThanOrEqual(2000)
  expect(long.completionTokens).toBe(7)
  expect(mostTokensOf(asked(1, null, 'x'.repeat(9000)), { contextTokens: 100 }, unknown).completionTokens).toBe(1)
})
