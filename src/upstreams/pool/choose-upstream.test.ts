import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from '../../../chaos/ledger/random.ts'
import { chooseUpstream, isWithinBound, type Load } from './choose-upstream.ts'

type Named = Load & { name: string; outstandingTokens: number }
const named = (...weights: number[]): Named[] =>
  weights.map((weight, index) => ({ name: String.fromCharCode(97 + index), weight, outstandingTokens: 0 }))

const loads = fc.array(
  fc.record({
    outstandingTokens: fc.nat({ max: 100_000 }),
    weight: fc.double({ min: 0.01, max: 100, noNaN: true }),
  }),
  { minLength: 2, maxLength: 8 },
)

test('idle upstreams get requests in proportion to their weights', () => {
  const { next } = createRandom(1)
  const upstreams = named(3, 1)
  const chosen = Array.from({ length: 4000 }, () => chooseUpstream(upstreams, next)?.name)
  expect(chosen.filter((name) => name === 'a').length / 4000).toBeCloseTo(0.75, 1)
})

test('the upstream with the most to do for its weight gets nothing', () => {
  fc.assert(
    fc.property(loads, fc.integer(), (candidates, seed) => {
      const chosen = chooseUpstream(candidates, createRandom(seed).next)
      const max = Math.max(...candidates.map((one) => one.outstandingTokens / one.weight))
      const isWorst = chosen !== null && chosen.outstandingTokens / chosen.weight === max
      const areEqual = candidates.filter((one) => one.outstandingTokens / one.weight === max).length > 1
      expect(isWorst && !areEqual).toBe(false)
    }),
  )
})

test('requests of any size spread so that no upstream has far more to do for its weight', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 200, maxLength: 400 })
  fc.assert(
    fc.property(sizes, fc.integer(), (all, seed) => {
      const { next } = createRandom(seed)
      const upstreams = named(1, 1, 2)
      for (const tokens of all) {
        const chosen = chooseUpstream(upstreams, next)
        if (chosen !== null) chosen.outstandingTokens += tokens
      }
      const relative = upstreams.map(({ outstandingTokens, weight }) => outstandingTokens / weight)
      // Each step goes to the lesser of two, so the difference is a few requests, not a share of all.
      expect(Math.max(...relative) - Math.min(...relative)).toBeLessThan(10 * 4000)
    }),
    { numRuns: 50, seed: 7 },
  )
})

test('no upstream: no choice', () => {
  expect(chooseUpstream([], () => 0)).toBeNull()
})

test('a cached prefix attracts requests up to a quarter above the mean and one request', () => {
  const candidates = named(1, 1, 1)
  const [first, second] = candidates
  if (first === undefined || second === undefined) return expect.unreachable()
  expect(isWithinBound(first, candidates, 100)).toBe(true)
  first.outstandingTokens = 100
  expect(isWithinBound(first, candidates, 100)).toBe(true)
  first.outstandingTokens = 200
  expect(isWithinBound(first, candidates, 100)).toBe(false)
  second.outstandingTokens = 200
  expect(isWithinBound(first, candidates, 100)).toBe(true)
})

test('with prefix affinity alone no upstream is ever far above the mean', () => {
  fc.assert(
    fc.property(loads, fc.integer({ min: 1, max: 5000 }), (candidates, tokens) => {
      for (const candidate of candidates) {
        if (!isWithinBound(candidate, candidates, tokens)) continue
        const total = candidates.reduce((sum, one) => sum + one.outstandingTokens, 0)
        const mean = total / candidates.reduce((sum, one) => sum + one.weight, 0)
        expect(candidate.outstandingTokens).toBeLessThanOrEqual(1.2501 * mean * candidate.weight + tokens)
      }
    }),
  )
})

test('an upstream that is clearly faster gets most requests, and the slower one enough to be measured', () => {
  const { next } = createRandom(3)
  const [fast, slow] = [
    { name: 'fast', weight: 1, outstandingTokens: 0, expectedMs: 1000 },
    { name: 'slow', weight: 1, outstandingTokens: 0, expectedMs: 4000 },
  ]
  const share = (candidates: (typeof fast)[]): number =>
    Array.from({ length: 2000 }, () => chooseUpstream(candidates, next)?.name).filter((name) => name === 'slow').length
  const explored = share([fast, slow])
  expect(explored).toBeGreaterThan(20)
  expect(explored).toBeLessThan(200)
  // Once it has so much to do that the slower one answers first, that one gets them.
  expect(share([{ ...fast, outstandingTokens: 40_000 }, slow])).toBeGreaterThan(1800)
})

test('small differences of speed, and speeds that are not known, change nothing', () => {
  const upstreams = named(1, 1)
  const measured = (...expected: (number | null)[]) =>
    upstreams.map((upstream, index) => ({ ...upstream, expectedMs: expected[index] ?? null }))
  const chosen = (candidates: Named[]) => {
    const { next } = createRandom(5)
    return Array.from({ length: 200 }, () => chooseUpstream(candidates, next)?.name)
  }
  const usual = chosen(upstreams)
  expect(chosen(measured(1000, 1400))).toEqual(usual)
  expect(chosen(measured(10, 90))).toEqual(usual)
  expect(chosen(measured(1000, null))).toEqual(usual)
})
