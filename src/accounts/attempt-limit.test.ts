import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { ApiError } from '../base/api-error.ts'
import { createAttemptLimit } from './attempt-limit.ts'

const retryAfterOf = (work: () => void): number | undefined => {
  try {
    work()
  } catch (error) {
    return error instanceof ApiError ? error.options.retryAfterMs : -1
  }
  return undefined
}

test('a refused caller may try again after exactly the returned wait', () => {
  const clock = createManualClock()
  const limit = createAttemptLimit({ max: 3, perMs: 3_000 }, clock)
  for (let n = 0; n < 3; n += 1) limit.consume('a')
  expect(retryAfterOf(() => limit.consume('a'))).toBe(1_000)
  expect(retryAfterOf(() => limit.consume('b'))).toBeUndefined()
  clock.advance(999)
  expect(retryAfterOf(() => limit.consume('a'))).toBeCloseTo(1)
  clock.advance(1)
  expect(retryAfterOf(() => limit.consume('a'))).toBeUndefined()
  expect(retryAfterOf(() => limit.consume('a'))).toBe(1_000)
})

test('refunded and reset attempts no longer count', () => {
  const limit = createAttemptLimit({ max: 2, perMs: 1_000 }, createManualClock())
  limit.consume('a')
  limit.consume('a')
  limit.refund('a')
  limit.consume('a')
  expect(retryAfterOf(() => limit.consume('a'))).toBe(500)
  limit.reset('a')
  expect(limit.used('a')).toBe(0)
  limit.refund('a')
  expect(limit.used('a')).toBe(0)
})

test('no period allows more attempts than its share, in any sequence of attempts and pauses', () => {
  const [max, perMs] = [5, 1_000]
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 60 }), (pauses) => {
      const clock = createManualClock()
      const limit = createAttemptLimit({ max, perMs }, clock)
      const consumedAt: number[] = []
      for (const pause of pauses) {
        clock.advance(pause)
        if (retryAfterOf(() => limit.consume('a')) === undefined) consumedAt.push(clock.monotonicMs())
      }
      for (const [first, startMs] of consumedAt.entries())
        for (const [last, endMs] of consumedAt.entries())
          if (last >= first)
            expect(last - first + 1).toBeLessThanOrEqual(max + ((endMs - startMs) * max) / perMs + 1e-6)
    }),
  )
})
