import { expect, test } from 'vitest'
import { emptyDraft } from '../keys/key-draft.ts'
import { readOwnLimits } from './read-own-limits.ts'

test('empty is as all have it, 0 is none, and a number is that many', () => {
  const texts = { ...emptyDraft.limits, requestsPerMinute: '600', tokensPerMinute: '0', tokensPerDay: '1,000,000' }
  expect(readOwnLimits(texts)).toEqual({
    wrong: [],
    limits: {
      requestsPerMinute: 600,
      tokensPerMinute: 0,
      requestsInFlight: null,
      tokensPerDay: 1_000_000,
      tokensPerMonth: null,
    },
  })
})

test('what is no number is wrong', () => {
  expect(readOwnLimits({ ...emptyDraft.limits, requestsInFlight: 'a few' }).wrong).toEqual(['requestsInFlight'])
})
