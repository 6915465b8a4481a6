import { expect, test } from 'vitest'
import { openSampling } from '../../../../test/harness/engine-request.ts'
import { fillSampling } from '../../sampling.ts'
import { chooseWay } from './way.ts'

const defaults = { temperature: 1, topP: 1, topK: 0, minP: 0, repetitionPenalty: 1, maxTokens: null }
const free = { held: false, endsBarred: false, endsGeneration: (id: number) => id === 0 }
const wayOf = (wished: Partial<typeof openSampling>, situation: Partial<typeof free> = {}) =>
  chooseWay(fillSampling({ ...openSampling, ...wished }, defaults, 10), { ...free, ...situation })

test('llama.cpp draws by itself whatever it can', () => {
  expect(wayOf({})).toBe('native')
  expect(wayOf({ temperature: 2, topK: 4, topP: 0.4, minP: 0.1, repetitionPenalty: 1.1 })).toBe('native')
  expect(wayOf({ frequencyPenalty: 1, presencePenalty: 1, logitBias: [[7, -100]] })).toBe('native')
})

test('a grammar, or an end that must not come, needs its likeliest tokens', () => {
  expect(wayOf({}, { held: true })).toBe('top')
  expect(wayOf({ frequencyPenalty: 1, logitBias: [[7, 5]] }, { held: true })).toBe('top')
  expect(wayOf({}, { endsBarred: true })).toBe('top')
})

test('probabilities, two kinds of penalties and the bias of an end token need all of them', () => {
  expect(wayOf({ topLogprobs: 0 })).toBe('full')
  expect(wayOf({ repetitionPenalty: 1.1, presencePenalty: 0.1 })).toBe('full')
  expect(wayOf({ logitBias: [[0, 5]] })).toBe('full')
})
