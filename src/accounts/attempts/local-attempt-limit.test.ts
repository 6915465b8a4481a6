import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { ApiError } from '../../base/api-error.ts'
import { createLocalAttemptLimit } from './local-attempt-limit.ts'

const readRetryAfter = async (work: () => Promise<void>): Promise<number | undefined> => {
  try {
    await work()
  } catch (error) {
    return error instanceof ApiError ? error.options.retryAfterMs : -1
  }
  return undefined
}

test('a refused caller may try again after exactly the returned wait', async () => {
  const clock = createManualClock()
  const limit = createLocalAttemptLimit({ max: 3, perMs: 3_000 }, clock)
  for (let n = 0; n < 3; n += 1) await limit.consume('a')
  expect(await readRetryAfter(() => limit.consume('a'))).toBe(1_000)
  expect(await readRetryAfter(() => limit.consume('b'))).toBeUndefined()
  clock.advance(999)
  expect(await readRetryAfter(() => limit.consume('a'))).toBeCloseTo(1)
  clock.advance(1)
  expect(await readRetryAfter(() => limit.consume('a'))).toBeUndefined()
  expect(await readRetryAfter(() => limit.consume('a'))).toBe(1_000)
})

test('refunded and reset attempts no longer count', async () => {
  const limit = createLocalAttemptLimit({ max: 2, perMs: 1_000 }, createManualClock())
  await limit.consume('a')
  await limit.consume('a')
  await limit.refund('a')
  await limit.consume('a')
  expect(await readRetryAfter(() => limit.consume('a'))).toBe(500)
  await limit.reset('a')
  expect(await limit.used('a')).toBe(0)
  await limit.refund('a')
  expect(await limit.used('a')).toBe(0)
})

test('no period allows more attempts than its share, in any sequence of attempts and pauses', async () => {
  const [max, perMs] = [5, 1_000]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 60 }), async (pauses) => {
      const clock = createManualClock()
      const limit = createLocalAttemptLimit({ max, perMs }, clock)
      const consumedAt: number[] = []
      for (const pause of pauses) {
        clock.advance(pause)
        if ((await readRetryAfter(() => limit.consume('a'))) === undefined) consumedAt.push(clock.monotonicMs())
      }
      for (const [first, startMs] of consumedAt.entries())
        for (const [last, endMs] of consumedAt.entries())
          if (last >= first)
            expect(last - first + 1).toBeLessThanOrEqual(max + ((endMs - startMs) * max) / perMs + 1e-6)
    }),
  )
})
