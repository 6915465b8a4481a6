import { expect, test } from 'vitest'
import { openSampling } from '../../test/harness/engine-request.ts'
import { fillSampling } from './sampling.ts'

const defaults = { temperature: 0.3, topP: 0.9, topK: 20, minP: 0.05, repetitionPenalty: 1.1, maxTokens: 50 }

test("what a request leaves open is filled with the model's own settings", () => {
  expect(fillSampling(openSampling, defaults, 100)).toMatchObject(defaults)
  expect(fillSampling({ ...openSampling, topK: 0, minP: 0, maxTokens: 7 }, defaults, 100)).toMatchObject({
    ...defaults,
    ...{ topK: 0, minP: 0, maxTokens: 7 },
  })
})

test('an answer is never longer than there is room', () => {
  expect(fillSampling(openSampling, defaults, 9).maxTokens).toBe(9)
  expect(fillSampling({ ...openSampling, maxTokens: 30 }, defaults, 20).maxTokens).toBe(20)
})

test('a seed is drawn where none is given', () => {
  const seeds = Array.from({ length: 3 }, () => fillSampling(openSampling, defaults, 9).seed)
  expect(new Set(seeds).size).toBeGreaterThan(1)
  expect(fillSampling({ ...openSampling, seed: 5 }, defaults, 9).seed).toBe(5)
})
