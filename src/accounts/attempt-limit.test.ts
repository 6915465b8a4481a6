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

test('whoever is refused may try again after exactly the time that was told', () => {
  const clock = createManualClock()
  const limit = createAttemptLimit({ most: 3, perMs: 3_000 }, clock)
  for (let n = 0; n < 3; n += 1) limit.take('a')
  expect(retryAfterOf(() => limit.take('a'))).toBe(1_000)
  expect(retryAfterOf(() => limit.take('b'))).toBeUndefined()
  clock.advance(999)
  expect(retryAfterOf(() => limit.take('a'))).toBeCloseTo(1)
  clock.advance(1)
  expect(retryAfterOf(() => limit.take('a'))).toBeUndefined()
  expect(retryAfterOf(() => limit.take('a'))).toBe(1_000)
})

test('what is given back or forgotten counts no more', () => {
  const limit = createAttemptLimit({ most: 2, perMs: 1_000 }, createManualClock())
  limit.take('a')
  limit.take('a')
  limit.giveBack('a')
  limit.take('a')
  expect(retryAfterOf(() => limit.take('a'))).toBe(500)
  limit.forget('a')
  expect(limit.used('a')).toBe(0)
  limit.giveBack('a')
  expect(limit.used('a')).toBe(0)
})

test('however tries and pauses follow each other, no span of time has more than its share', () => {
  const [most, perMs] = [5, 1_000]
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 60 }), (pauses) => {
      const clock = createManualClock()
      const limit = createAttemptLimit({ most, perMs }, clock)
      const taken: number[] = []
      for (const pause of pauses) {
        clock.advance(pause)
        if (retryAfterOf(() => limit.take('a')) === undefined) taken.push(clock.monotonicMs())
      }
      for (const [first, startMs] of taken.entries())
        for (const [last, endMs] of taken.entries())
          if (last >= first)
            expect(last - first + 1).toBeLessThanOrEqual(most + ((endMs - startMs) * most) / perMs + 1e-6)
    }),
  )
})
