import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gridRuns } from '../../../../test/harness/grid.ts'
import { type LoadedLogits, loadLogits } from './load-logits.ts'
import { blockTokens } from './vector-memory.ts'

const logit = fc.oneof(
  { weight: 8, arbitrary: fc.float({ min: -30, max: 30, noNaN: true }) },
  { weight: 2, arbitrary: fc.constantFrom(0, -0, 1, 1.5) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.NEGATIVE_INFINITY, -3e38) },
)
/** Of several blocks, the last of which is rarely full. */
const vocabulary = fc
  .tuple(fc.array(logit, { minLength: 1, maxLength: 80 }), fc.integer({ min: 1, max: 3 * blockTokens }))
  .map(([pattern, length]) => Float32Array.from({ length }, (_, id) => (pattern[id % pattern.length] ?? 0) + (id % 7)))

const bestOf = (logits: Float32Array) =>
  logits.reduce((best, logit, id) => (logit > (logits[best] ?? Number.NEGATIVE_INFINITY) ? id : best), -1)

const eachTime = (check: (loaded: LoadedLogits, logits: Float32Array) => void) =>
  fc.assert(
    fc.property(vocabulary, (logits) => check(loadLogits(logits), logits)),
    { numRuns: gridRuns(300) },
  )

test('the best token is the first of the highest logits, in any block', () => {
  eachTime(({ best }, logits) => {
    const id = bestOf(logits)
    expect(best).toEqual(id < 0 ? null : { id, logit: logits[id] })
  })
})

test.each([0.5, 1, 3])('weights are exponential functions to six digits, with heat %d', (heat) => {
  eachTime((loaded, logits) => {
    const { weights, sums, total } = loaded.weigh(heat)
    const best = loaded.best?.logit ?? 0
    const due = Array.from(logits, (one) => (one > Number.NEGATIVE_INFINITY ? Math.exp((one - best) * heat) : 0))
    for (const [id, weight] of weights.entries()) {
      const exact = due[id] ?? 0
      expect(Math.abs(weight - exact)).toBeLessThanOrEqual(1e-17 + exact * 1e-5)
      if (exact > 1e-4) expect(Math.abs(weight - exact)).toBeLessThanOrEqual(exact * 2e-6)
    }
    const exactTotal = due.reduce((sum, weight) => sum + weight, 0)
    expect(Math.abs(total - exactTotal)).toBeLessThanOrEqual(exactTotal * 2e-6)
    expect(Math.abs(sums.reduce((sum, one) => sum + one, 0) - total)).toBeLessThanOrEqual(total * 1e-9)
  })
})

test('tokens below the floor weigh nothing and are not collected', () => {
  fc.assert(
    fc.property(vocabulary, fc.integer({ min: -10, max: 10 }), (logits, floor) => {
      const loaded = loadLogits(logits)
      const due = Array.from(logits.keys()).filter((id) => (logits[id] ?? 0) >= floor)
      expect([...loaded.collect(floor)]).toEqual(due)
      const { weights } = loaded.weigh(1, floor)
      for (const [id, weight] of weights.entries()) if (!((logits[id] ?? 0) >= floor)) expect(weight).toBe(0)
    }),
  )
})

test('a vocabulary of 256,000 tokens and a smaller one after it', () => {
  const large = Float32Array.from({ length: 256_000 }, (_, id) => (id === 255_999 ? 20 : 9 - (id % 10)))
  expect(loadLogits(large).best).toEqual({ id: 255_999, logit: 20 })
  expect(loadLogits(large.subarray(0, 1000)).best).toEqual({ id: 0, logit: 9 })
  expect([...loadLogits(large.subarray(0, 1000)).collect(9)]).toHaveLength(100)
})
