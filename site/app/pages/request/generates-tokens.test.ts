import { expect, test } from 'vitest'
import { generatesTokens } from './generates-tokens.ts'

test.each([
  ['embeddings', 'completed', null, false],
  ['rerank', 'failed', null, false],
  ['score', 'running', null, false],
  ['playground', 'completed', null, false],
  ['playground', 'completed', 'stop', true],
  ['playground', 'client_closed', null, true],
  ['chat.completions', 'failed', null, true],
  ['messages', 'running', null, true],
] as const)('%s, %s, ended by %s: tokens %s', (endpoint, outcome, finishReason, expected) => {
  expect(generatesTokens({ endpoint, outcome, finishReason })).toBe(expected)
})
