import { expect, test } from 'vitest'
import { joinByCode } from './rejected-part.tsx'

test('errors with the same code are one reason, the most frequent first', () => {
  const limit = (name: string) => ({ name, status: 429, code: 'rate_limit_exceeded' })
  const unknown = { name: 'model_not_found', status: 404, code: 'model_not_found' }
  expect(
    joinByCode([
      { error: unknown, count: 5 },
      { error: limit('rate_limit_requests'), count: 4 },
      { error: limit('rate_limit_tokens'), count: 2 },
    ]),
  ).toEqual([
    { error: limit('rate_limit_requests'), count: 6 },
    { error: unknown, count: 5 },
  ])
})
