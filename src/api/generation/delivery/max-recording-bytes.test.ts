import { expect, test } from 'vitest'
import { openSampling } from '../../../../test/harness/engine-request.ts'
import { maxRecordingBytes } from './max-recording-bytes.ts'

type More = { maxTokens?: number; topLogprobs?: number; promptLogprobs?: number; n?: number; stream?: boolean }
const asked = (more: More = {}) => ({
  prompt: { type: 'raw' as const, prompts: ['0123456789', '0123456789'] },
  promptBytes: 20,
  sampling: {
    ...openSampling,
    maxTokens: more.maxTokens ?? null,
    topLogprobs: more.topLogprobs ?? null,
    promptLogprobs: more.promptLogprobs ?? null,
  },
  n: more.n ?? 1,
  stream: more.stream ?? true,
  returnTokenIds: false,
})
const small = { contextTokens: 1000 }

test('the maximum follows from the limit of the request and from the context', () => {
  expect(maxRecordingBytes(asked({ maxTokens: 10 }), small)).toBe(4096 + 1024 + 10 * 512)
  expect(maxRecordingBytes(asked(), small)).toBe(4096 + 1024 + 1000 * 512)
  expect(maxRecordingBytes(asked({ maxTokens: 5000 }), small)).toBe(maxRecordingBytes(asked(), small))
})

test('for an upstream with an unknown context it follows from the limit that the upstream receives', () => {
  expect(maxRecordingBytes(asked(), { contextTokens: null })).toBe(4096 + 1024 + 4096 * 512)
})

test('a JSON response takes less, choices and log probabilities take more', () => {
  const one = maxRecordingBytes(asked({ maxTokens: 100 }), small)
  expect(maxRecordingBytes(asked({ maxTokens: 100, stream: false }), small)).toBeLessThan(one)
  expect(maxRecordingBytes(asked({ maxTokens: 100, n: 2 }), small)).toBe(2 * one - 4096)
  expect(maxRecordingBytes(asked({ maxTokens: 100, topLogprobs: 3 }), small)).toBe(one + 100 * 4 * 256)
})

test('log probabilities of the prompts take space for each of their tokens and choices', () => {
  const plain = maxRecordingBytes(asked({ maxTokens: 0, n: 4 }), small)
  expect(maxRecordingBytes(asked({ maxTokens: 0, n: 4, promptLogprobs: 1 }), small)).toBe(plain + 2 * 20 * 3 * 256)
})
