import { expect, test } from 'vitest'
import { openSampling } from '../../../../test/harness/engine-request.ts'
import type { ChatMessage, ContentPart } from '../../../engine/contract.ts'
import { promptSize } from '../prompt/prompts.ts'
import { estimateTokens } from './estimate-tokens.ts'

const asked = (n: number, maxTokens: number | null) => ({ n, sampling: { ...openSampling, maxTokens } })
const settings = { answerReservationTokens: 100 }
const counted = { tokens: 10, isExact: true }
const guessed = (text: string, imageTokens?: number, messages: ChatMessage[] = []) =>
  promptSize(
    {
      prompt: { type: 'chat', messages, templateVariables: {}, opening: 'answer', keptFromStart: null },
      promptBytes: Buffer.byteLength(text),
    },
    { ...(imageTokens ? { imageTokens } : {}) },
    { promptTokens: null },
  )
const unknown = guessed('Hi')

test('a token limit in the request is reserved in full for every choice', () => {
  const fixed = (completionTokens: number) => ({
    promptTokens: 10,
    completionTokens,
    leastCompletionTokens: completionTokens,
    extensionTokens: null,
  })
  const model = { contextTokens: 1000 }
  expect(estimateTokens(asked(1, 500), model, counted, settings)).toEqual(fixed(500))
  expect(estimateTokens(asked(3, 50), model, counted, settings)).toEqual(fixed(150))
})

test('without one a fixed amount is reserved, however large the context, and can be extended', () => {
  const open = { promptTokens: 10, leastCompletionTokens: 1, extensionTokens: 100 }
  const ofContext = (contextTokens: number) => estimateTokens(asked(1, null), { contextTokens }, counted, settings)
  expect(ofContext(1_000_000)).toEqual({ ...open, completionTokens: 100 })
  expect(ofContext(50)).toEqual({ ...open, completionTokens: 40 })
  expect(estimateTokens(asked(2, null), { contextTokens: 1_000_000 }, counted, settings)).toEqual({
    promptTokens: 10,
    completionTokens: 200,
    leastCompletionTokens: 2,
    extensionTokens: 200,
  })
})

test('of a limit that may be lowered an upstream gets as much as the limits allow, and most answers need no more than 4,096', () => {
  const lowered = {
    ...asked(1, 64_000),
    sampling: { ...openSampling, maxTokens: 64_000, mayLowerLimit: true as const },
  }
  expect(estimateTokens(lowered, { contextTokens: null }, unknown, settings)).toMatchObject({
    completionTokens: 64_000,
    leastCompletionTokens: 1,
    enoughCompletionTokens: 4096,
    extensionTokens: null,
  })
})

test('for an upstream that counts its own tokens the reservation is an estimate, never zero, and is not extended', () => {
  const short = estimateTokens(asked(1, null), { contextTokens: null }, unknown, settings)
  expect(short).toMatchObject({ completionTokens: 4096, leastCompletionTokens: 1, extensionTokens: null })
  expect(short.promptTokens).toBeGreaterThan(0)
  const large = estimateTokens(asked(1, null), { contextTokens: 1_000_000 }, unknown, settings)
  expect(large.completionTokens).toBe(4096)
  const long = estimateTokens(asked(1, 7), { contextTokens: null }, guessed('日本'.repeat(1000)), settings)
  expect(long.promptTokens).toBeGreaterThanOrEqual(2000)
  expect(long.completionTokens).toBe(7)
  const full = estimateTokens(asked(1, null), { contextTokens: 100 }, guessed('x'.repeat(9000)), settings)
  expect(full.completionTokens).toBe(1)
})

test('an image is reserved a fixed number of tokens, and audio by its bytes', () => {
  const origin = { path: '', type: '', error: null }
  const user = (...parts: ContentPart[]): ChatMessage[] => [{ role: 'user', content: '', parts }]
  const image: ContentPart = { type: 'image', url: 'https://example.com/a.png', bytes: null, origin }
  const audio: ContentPart = { type: 'audio', data: '', format: 'wav', bytes: 25_000, origin }
  expect(guessed('', undefined, user(image, image)).tokens).toBe(2 * 2048)
  expect(guessed('abc', 300, user(image)).tokens).toBe(301)
  expect(guessed('', undefined, user(audio)).tokens).toBe(100)
})
