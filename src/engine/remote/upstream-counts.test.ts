import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogCatcher } from '../../../test/harness/log-catcher.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { createTokenEstimate, estimatePromptTokens, maxPromptTokens } from './estimate-prompt.ts'
import { createUpstreamCounts } from './upstream-counts.ts'

const say = (content: string) => [{ role: 'user' as const, content }]
const usage = (prompt: unknown, completion: unknown, cached?: unknown) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  prompt_tokens_details: { cached_tokens: cached },
})
/** Three pieces came, and this was told. */
const count = (told: Record<string, unknown> | null, { limit = 10, content = 'How are you today?' } = {}) => {
  const catcher = createLogCatcher({ clock: createManualClock(), format: 'json' })
  const counted = createUpstreamCounts({ messages: say(content), limit, log: catcher.log })
  for (let piece = 0; piece < 3; piece += 1) counted.add({ type: 'text', text: 'a' })
  return { ...counted.counts(told), warnings: catcher.lines.length }
}

test('counts that can be are believed', () => {
  expect(count(usage(9, 10, 4))).toEqual({
    promptTokens: 9,
    cachedTokens: 4,
    completionTokens: 10,
    isEstimated: false,
    warnings: 0,
  })
})

test('more than the limit that was sent is not believed: the pieces count, and the log says so', () => {
  expect(count(usage(9, 1_000_000))).toMatchObject({ completionTokens: 3, isEstimated: true, warnings: 1 })
  expect(count(usage(9, 11))).toMatchObject({ completionTokens: 3, isEstimated: true, warnings: 1 })
})

test('a limit that was raised for the upstream is believed, and no more than that of the request is counted', () => {
  const catcher = createLogCatcher({ clock: createManualClock(), format: 'json' })
  const counts = createUpstreamCounts({ messages: say('Hi'), limit: 5, log: catcher.log })
  const told = { ...usage(9, 16), completion_tokens_details: { reasoning_tokens: 16 } }
  expect(counts.counts(told, 16)).toMatchObject({ completionTokens: 5, reasoningTokens: 5, isEstimated: false })
  expect(catcher.lines).toEqual([])
  expect(counts.counts({ ...usage(9, 17) }, 16)).toMatchObject({ completionTokens: 0, isEstimated: true })
  expect(catcher.lines).toHaveLength(1)
})

test('pieces never count for more than the limit that was sent', () => {
  expect(count(null, { limit: 2 })).toMatchObject({ completionTokens: 2, isEstimated: true })
})

test('a prompt of more tokens than it can have is not believed', () => {
  expect(count(usage(1_000_000, 3, 999_999))).toMatchObject({
    promptTokens: 3,
    cachedTokens: 0,
    completionTokens: 3,
    isEstimated: true,
    warnings: 1,
  })
})

test('nothing at all for something that was read or sent is no count', () => {
  expect(count(usage(0, 0))).toMatchObject({ promptTokens: 3, completionTokens: 3, isEstimated: true })
})

test('reasoning tokens are believed up to the number of all', () => {
  const told = (reasoning: unknown) => ({
    ...usage(9, 10),
    completion_tokens_details: { reasoning_tokens: reasoning },
  })
  expect(count(told(6))).toMatchObject({ reasoningTokens: 6, warnings: 0 })
  expect(count(told(11))).not.toHaveProperty('reasoningTokens')
  expect(count(told('6'))).not.toHaveProperty('reasoningTokens')
})

test('without a count, long chunks count for more than one token each', () => {
  const catcher = createLogCatcher({ clock: createManualClock(), format: 'json' })
  const counted = createUpstreamCounts({ messages: say('Hi'), limit: 1000, log: catcher.log })
  counted.add({ type: 'text', text: 'The quick brown fox jumps over the lazy dog. ' })
  counted.add({ type: 'arguments', index: 0, text: '{"city":"Tokyo"}' })
  expect(counted.counts(null)).toMatchObject({ completionTokens: 12, isEstimated: true })
})

test.each([
  ['', 1],
  ['Hi', 1],
  ['The quick brown fox jumps over the lazy dog.', 8],
  ['東京の天気はどうですか', 5],
  [' '.repeat(1000), 1],
  ['a'.repeat(93_000), 18_600],
])('an estimate leans low: %#', (content, tokens) => {
  expect(estimatePromptTokens(say(content))).toBe(tokens)
})

test('a long text is estimated like its parts', () => {
  const words = ['cat', 'dog,', '猫', 'x1', 'é', '😀']
  const blanks = [' ', '\n', '  ', '\t\t ', '\r\n']
  const pieces = fc.array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(...blanks)), { maxLength: 40 })
  fc.assert(
    fc.property(pieces, (pairs) => {
      const [parts, whole] = [createTokenEstimate(), createTokenEstimate()]
      for (const [word, blank] of pairs) parts.add(`${word}${blank}`)
      whole.add(pairs.flat().join(''))
      expect(whole.tokens()).toBe(parts.tokens())
    }),
  )
})

test('an estimate is never above what is believed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (content) => {
      expect(estimatePromptTokens(say(content))).toBeLessThanOrEqual(maxPromptTokens(say(content)))
    }),
  )
})

test('reasoning that is counted beside the completion, as the sum says, is part of it', () => {
  const told = (total: number, reasoning: number) => ({
    ...usage(9, 3),
    ...{ total_tokens: total, completion_tokens_details: { reasoning_tokens: reasoning } },
  })
  expect(count(told(16, 4))).toMatchObject({ completionTokens: 7, reasoningTokens: 4, isEstimated: false })
  expect(count(told(16, 4), { limit: 5 })).toMatchObject({ completionTokens: 5, reasoningTokens: 4 })
  expect(count(told(12, 2))).toMatchObject({ completionTokens: 3, reasoningTokens: 2 })
  expect(count(told(99, 4))).toMatchObject({ completionTokens: 3 })
})

test('tokens of the cache that are counted by themselves are known', () => {
  expect(count({ ...usage(9, 3), prompt_cache_hit_tokens: 4 })).toMatchObject({ cachedTokens: 4 })
  expect(count({ ...usage(9, 3), prompt_tokens_details: null, cached_tokens: 4 })).toMatchObject({ cachedTokens: 4 })
})

test('tokens of reasoning that are counted by themselves are known, and none are no count', () => {
  expect(count({ ...usage(9, 3), reasoning_tokens: 2 })).toMatchObject({ completionTokens: 3, reasoningTokens: 2 })
  expect(count({ ...usage(9, 3), reasoning_tokens: 0 })).not.toHaveProperty('reasoningTokens')
})
