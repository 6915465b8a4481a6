import { expect, test } from 'vitest'
import { openSampling } from '../../../test/harness/engine-request.ts'
import { ApiError } from '../../base/api-error.ts'
import { fittingLimit } from './fitting-limit.ts'

const refused = (reason: string) => ApiError.of('upstream_context_exceeded', { reason })
const reserved = { ...openSampling, maxTokens: 4096, mayLowerLimit: true } as const
const messages = {
  OpenAI:
    "This model's maximum context length is 4096 tokens. However, you requested 4108 tokens (12 in the messages, 4096 in the completion). Please reduce the length of the messages or completion.",
  vLLM: "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 12 input tokens (4096 > 4096 - 12).",
  SGLang:
    "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 4108 tokens: 12 tokens from the input messages and 4096 tokens for the completion.",
}

test.each(Object.entries(messages))('the limit that fits is read from the message of %s', (_, message) => {
  expect(fittingLimit(refused(message), reserved)).toBe(4084)
})

const ofAnswers = {
  OpenAI:
    'max_tokens is too large: 64000. This model supports at most 1024 completion tokens, whereas you provided 64000.',
  DeepSeek: 'Invalid max_tokens value, the valid range of max_tokens is [1, 1024]',
  Anthropic: 'max_tokens: 64000 > 1024, which is the maximum allowed number of output tokens for claude-3',
  Groq: '`max_tokens` must be less than or equal to `1024`, the maximum value for `max_tokens` is less than the context',
}

test.each(Object.entries(ofAnswers))('the longest answer is read from the message of %s', (_, reason) => {
  expect(fittingLimit(ApiError.of('upstream_refused', { reason }), reserved)).toBe(1024)
  expect(fittingLimit(ApiError.of('upstream_refused', { reason }), { ...reserved, maxTokens: 1024 })).toBe(null)
})

test('there is none for a limit that the caller chose, another error, a prompt that is too long or an unknown message', () => {
  expect(fittingLimit(refused(messages.vLLM), { ...openSampling, maxTokens: 4096 })).toBe(null)
  expect(fittingLimit(ApiError.of('upstream_refused', { reason: messages.vLLM }), reserved)).toBe(null)
  expect(fittingLimit(refused(messages.vLLM.replace('12 input', '5000 input')), reserved)).toBe(null)
  expect(fittingLimit(refused('too long'), reserved)).toBe(null)
})
