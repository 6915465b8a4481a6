import { expect, test } from 'vitest'
import { emptyDraft } from '../keys/key-draft.ts'
import { readOwnLimits } from './read-own-limits.ts'

test('empty is as all have it, 0 is none, and a number is that many', () => {
  const texts = {
    ...emptyDraft.limits,
    requestsPerMinute: '600',
    tokensPerMinute: '0',
    tokensPerDay: '1,000,000',
    costPerDayMicros: '0.0',
    costPerMonthMicros: '99.9',
  }
  expect(readOwnLimits(texts)).toEqual({
    wrong: [],
    limits: {
      requestsPerMinute: 600,
      tokensPerMinute: 0,
      requestsInFlight: null,
      requestsPerDay: null,
      tokensPerDay: 1_000_000,
      tokensPerMonth: null,
      costPerDayMicros: 0,
      costPerMonthMicros: 99_900_000,
    },
  })
})

test('what is no number is wrong', () => {
  expect(readOwnLimits({ ...emptyDraft.limits, requestsInFlight: 'a few' }).wrong).toEqual(['requestsInFlight'])
})
