import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

test('refusals halve it, once for all that began before', () => {
  const limit = createConcurrencyLimit(64)
  const requests = Array.from({ length: 64 }, (_, index) => limit.start(index + 1))
  for (const request of requests) request.refused()
  expect(limit.current).toBe(32)
  limit.start(32).refused()
  expect(limit.current).toBe(16)
})

test('it finds what an upstream can take, and stays near it', () => {
  const capacity = 10
  const limit = createConcurrencyLimit(64)
  const seen: number[] = []
  for (let round = 0; round < 400; round += 1) {
    const requests = Array.from({ length: limit.current }, (_, index) => limit.start(index + 1))
    for (const [index, request] of requests.entries()) if (index < capacity) request.answered()
    for (const [index, request] of requests.entries()) if (index >= capacity) request.refused()
    seen.push(limit.current)
  }
  const late = seen.slice(100)
  expect(Math.max(...late)).toBeLessThanOrEqual(capacity + 1)
  expect(Math.min(...late)).toBeGreaterThanOrEqual(capacity / 2)
})

test.each([0, 1, 3, 255])('it recovers from requests of one caller, for whom %d slots are not there', (reserved) => {
  const limit = createConcurrencyLimit(8, reserved)
  for (let refusal = 0; refusal < 3; refusal += 1) limit.start(1).refused()
  expect(limit.current).toBe(1)
  for (let answer = 0; answer < 200; answer += 1) limit.start(Math.max(1, limit.current - reserved)).answered()
  expect(limit.current).toBe(8)
})

test('answers that begin far later than before lower a full upstream, once for all that began before, but not an idle one', () => {
  const limit = createConcurrencyLimit(20)
  limit.start(1).slowed()
  expect(limit.current).toBe(20)
  const requests = Array.from({ length: 20 }, (_, index) => limit.start(index + 1))
  for (const request of requests) request.slowed()
  expect(limit.current).toBe(18)
})

const step = fc.oneof(
  fc.record({ do: fc.constant('start' as const), inFlight: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ do: fc.constantFrom('answered' as const, 'refused' as const, 'slowed' as const), of: fc.nat(30) }),
  fc.record({ do: fc.constant('max' as const), max: fc.integer({ min: 1, max: 100 }) }),
)

test('it is never below one or above the maximum, and always recovers', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.array(step, { maxLength: 200 }), (first, steps) => {
      const limit = createConcurrencyLimit(first)
      const requests: ReturnType<typeof limit.start>[] = []
      let max = first
      for (const one of steps) {
        if (one.do === 'start') requests.push(limit.start(one.inFlight))
        else if (one.do === 'max') {
          max = one.max
          limit.setMax(max)
        } else requests[one.of]?.[one.do]()
        expect(limit.current).toBeGreaterThanOrEqual(1)
        expect(limit.current).toBeLessThanOrEqual(max)
      }
      for (let answer = 0; answer < max * max; answer += 1) limit.start(limit.current).answered()
      expect(limit.current).toBe(max)
    }),
  )
})
