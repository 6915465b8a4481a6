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

test('slow first tokens of a full upstream lower it, those of an idle one do not', () => {
  const limit = createConcurrencyLimit(20)
  for (let answer = 0; answer < 10; answer += 1) limit.start(1).began(100)
  for (let answer = 0; answer < 10; answer += 1) limit.start(1).began(5000)
  expect(limit.current).toBe(20)
  for (let answer = 0; answer < 3; answer += 1) limit.start(20).began(5000)
  expect(limit.current).toBeLessThan(20)
})

const step = fc.oneof(
  fc.record({ do: fc.constant('start' as const), inFlight: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ do: fc.constantFrom('answered' as const, 'refused' as const), of: fc.nat(30) }),
  fc.record({ do: fc.constant('began' as const), of: fc.nat(30), ms: fc.integer({ min: 0, max: 100_000 }) }),
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
        } else if (one.do === 'began') requests[one.of]?.began(one.ms)
        else requests[one.of]?.[one.do]()
        expect(limit.current).toBeGreaterThanOrEqual(1)
        expect(limit.current).toBeLessThanOrEqual(max)
      }
      for (let answer = 0; answer < max * max; answer += 1) limit.start(limit.current).answered()
      expect(limit.current).toBe(max)
    }),
  )
})
