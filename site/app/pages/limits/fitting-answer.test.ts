import { expect, test } from 'vitest'
import { ApiError } from '../../../../src/base/api-error.ts'
import { PlatformError, type RefusingLimit } from '../../../platform/platform-error.ts'
import { fittingAnswer } from './fitting-answer.ts'

/** As the page receives what the server throws. */
const refused = ({ status, code, message }: ApiError, limit: Partial<RefusingLimit> | null = null): PlatformError => {
  const whole = { name: 'tokensPerMinute', scope: 'organisation', limit: 400, used: 0, requested: 640 } as const
  return new PlatformError({
    ...{ status, code: code ?? '', message },
    limit: limit === null ? null : { ...whole, resetsAt: null, ...limit },
  })
}
const parts = { model: 'm', place: 'in organization org_a', period: 'tokens per min (TPM)', limit: 400, used: 0 }
const tooLarge = ApiError.of('request_above_rate_limit', {
  ...{ ...parts, requested: 640, promptTokens: 140, completionTokens: 500 },
})
const reached = ApiError.of('rate_limit_tokens', { ...parts, requested: 640, wait: '1s' })
const tooLong = ApiError.of('context_length_requested', {
  ...{ contextTokens: 1000, totalTokens: 1240, promptTokens: 740, completionTokens: 500 },
})

test('a request that is too large for a limit, or for the context, would fit with a shorter answer', () => {
  expect(fittingAnswer(refused(tooLarge, {}), 500)).toBe(260)
  expect(fittingAnswer(refused(tooLarge, {}), null)).toBe(260)
  expect(fittingAnswer(refused(tooLong), 500)).toBe(260)
})

test('what has been used of a limit counts, and the length of the messages follows from what was asked for', () => {
  expect(fittingAnswer(refused(reached, { used: 100 }), 500)).toBe(160)
  expect(fittingAnswer(refused(reached, { used: 100 }), null)).toBeNull()
})

test('nothing is offered where it would not help', () => {
  expect(fittingAnswer(refused(tooLarge, { used: 250 }), 500)).toBeNull()
  expect(fittingAnswer(refused(reached, { name: 'requestsPerMinute', limit: 1 }), 500)).toBeNull()
  expect(fittingAnswer(refused(reached, { name: 'costPerDayMicros', limit: 9_000_000 }), 500)).toBeNull()
  const long = ApiError.of('context_length_exceeded', { contextTokens: 10, promptTokens: 20 })
  expect(fittingAnswer(refused(long), 500)).toBeNull()
  expect(fittingAnswer(new Error('offline'), 500)).toBeNull()
})
