import fc from 'fast-check'
import { expect, test } from 'vitest'
import { affordableTokens, computeCostMicros, computeMaxCostMicros, type PricedTokens } from './compute-cost.ts'
import { maxPriceMicros, type Price } from './price.ts'

const micros = fc.oneof(fc.nat({ max: 20_000_000 }), fc.nat({ max: maxPriceMicros }))
const price = fc.record({ promptMicros: micros, cachedMicros: micros, completionMicros: micros })
const count = fc.oneof(fc.nat({ max: 5_000 }), fc.nat({ max: 1_000_000_000 }))
const tokens = fc
  .record({ promptTokens: count, share: fc.nat({ max: 100 }), completionTokens: count })
  .map(({ promptTokens, share, completionTokens }) => ({
    promptTokens,
    cachedTokens: Math.floor((promptTokens * share) / 100),
    completionTokens,
  }))

/** In millionths of a micro. */
const exactCost = ({ promptTokens, cachedTokens, completionTokens }: PricedTokens, one: Price): bigint =>
  BigInt(promptTokens - cachedTokens) * BigInt(one.promptMicros) +
  BigInt(cachedTokens) * BigInt(one.cachedMicros) +
  BigInt(completionTokens) * BigInt(one.completionMicros)

const sum = (one: PricedTokens, other: PricedTokens): PricedTokens => ({
  promptTokens: one.promptTokens + other.promptTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
  completionTokens: one.completionTokens + other.completionTokens,
})

test('a million tokens cost their price, and a part of a micro counts as a whole one', () => {
  const dollars: Price = { promptMicros: 2_500_000, cachedMicros: 1_250_000, completionMicros: 10_000_000 }
  const million = { promptTokens: 1_000_000, cachedTokens: 0, completionTokens: 1_000_000 }
  expect(computeCostMicros(million, dollars)).toBe(12_500_000)
  expect(computeCostMicros({ promptTokens: 3, cachedTokens: 1, completionTokens: 2 }, dollars)).toBe(27)
  expect(computeCostMicros({ promptTokens: 0, cachedTokens: 0, completionTokens: 0 }, dollars)).toBe(0)
})

test('the cost is a whole number, never negative, and the exact cost rounded up, however large', () => {
  const property = fc.property(tokens, price, (some, one) => {
    const cost = computeCostMicros(some, one)
    expect(Number.isSafeInteger(cost)).toBe(true)
    expect(cost).toBeGreaterThanOrEqual(0)
    const over = BigInt(cost) * 1_000_000n - exactCost(some, one)
    expect(over >= 0n && over < 1_000_000n).toBe(true)
  })
  fc.assert(property, { numRuns: 2_000 })
})

test('more tokens never cost less', () => {
  const property = fc.property(tokens, tokens, price, (some, more, one) => {
    expect(computeCostMicros(sum(some, more), one)).toBeGreaterThanOrEqual(computeCostMicros(some, one))
  })
  fc.assert(property, { numRuns: 1_000 })
})

test('parts cost as much as the whole, or less than a micro more for each further part', () => {
  const property = fc.property(fc.array(tokens, { minLength: 1, maxLength: 8 }), price, (parts, one) => {
    const whole = computeCostMicros(parts.reduce(sum), one)
    const apart = parts.reduce((total, part) => total + BigInt(computeCostMicros(part, one)), 0n)
    expect(apart - BigInt(whole) >= 0n).toBe(true)
    expect(apart - BigInt(whole) < BigInt(parts.length)).toBe(true)
  })
  fc.assert(property, { numRuns: 1_000 })
})

test('no use of the reserved tokens costs more than was reserved for them', () => {
  const share = fc.nat({ max: 1_000 })
  const property = fc.property(count, count, share, share, share, price, (prompt, answer, a, b, c, one) => {
    const promptTokens = Math.floor((prompt * a) / 1_000)
    const cachedTokens = Math.floor((promptTokens * b) / 1_000)
    const completionTokens = Math.floor((answer * c) / 1_000)
    const used = computeCostMicros({ promptTokens, cachedTokens, completionTokens }, one)
    expect(used).toBeLessThanOrEqual(computeMaxCostMicros(prompt, answer, one))
  })
  fc.assert(property, { numRuns: 1_000 })
})

test('an amount pays for the tokens it is said to pay for, and not for one more', () => {
  const amount = fc.oneof(fc.nat({ max: 100_000 }), fc.nat({ max: 1_000_000_000_000 }))
  const property = fc.property(amount, count, price, (left, promptTokens, one) => {
    const affordable = affordableTokens(left, promptTokens, one)
    if (affordable === Number.POSITIVE_INFINITY) {
      expect(computeMaxCostMicros(promptTokens, 1_000_000, one)).toBeLessThanOrEqual(left)
      return
    }
    if (affordable > 0) expect(computeMaxCostMicros(promptTokens, affordable, one)).toBeLessThanOrEqual(left)
    if (one.completionMicros > 0 && affordable < Number.MAX_SAFE_INTEGER)
      expect(computeMaxCostMicros(promptTokens, affordable + 1, one)).toBeGreaterThan(left)
  })
  fc.assert(property, { numRuns: 1_000 })
})
