import { expect, test } from 'vitest'
import { openSampling } from '../../../../test/harness/engine-request.ts'
import { fillSampling } from '../../sampling.ts'
import { excludeText } from './exclude-text.ts'

const defaults = { temperature: 1, topP: 1, topK: 0, minP: 0, repetitionPenalty: 1, maxTokens: null }
const sampling = fillSampling({ ...openSampling, logitBias: [[3, 1]], withoutText: '<call>' }, defaults, 10)

test('a text that is one token is never sampled, whatever bias was asked for', () => {
  const { logitBias } = excludeText(sampling, { tokenise: () => [7] })
  expect(logitBias).toEqual([
    [3, 1],
    [7, Number.NEGATIVE_INFINITY],
  ])
})

test('a text of several tokens excludes none of them', () => {
  expect(excludeText(sampling, { tokenise: () => [7, 8] })).toBe(sampling)
  const free = { ...sampling, withoutText: null }
  expect(excludeText(free, { tokenise: () => [7] })).toBe(free)
})
