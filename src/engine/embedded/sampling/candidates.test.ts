import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rankCandidates } from './candidates.ts'

const logits = fc
  .array(fc.oneof(fc.float({ min: -60, max: 60, noNaN: true }), fc.constant(Number.NEGATIVE_INFINITY)), {
    maxLength: 300,
  })
  .map((numbers) => Float32Array.from(numbers))

test('all tokens come in the order of their logits, but for those at minus infinity', () => {
  fc.assert(
    fc.property(logits, (logits) => {
      const candidates = rankCandidates(logits)
      const ids: number[] = []
      for (let id = candidates.at(0); id !== null; id = candidates.at(ids.length)) ids.push(id)
      const expected = [...logits.entries()].filter(([, logit]) => logit > Number.NEGATIVE_INFINITY)
      expected.sort(([one, oneLogit], [other, otherLogit]) => otherLogit - oneLogit || one - other)
      expect(ids).toEqual(expected.map(([id]) => id))
    }),
  )
})

test('their weight is the sum of their exponentials', () => {
  fc.assert(
    fc.property(logits, fc.constantFrom(1, 1.5, 2), (logits, heat) => {
      const best = Math.max(...logits)
      if (best === Number.NEGATIVE_INFINITY) return
      const sum = logits.reduce((total, logit) => total + Math.exp((logit - best) / heat), 0)
      expect(Math.abs(rankCandidates(logits).weight(heat) / sum - 1)).toBeLessThan(1e-6)
    }),
  )
})

test('the order of a whole vocabulary is right to its end', () => {
  const logits = Float32Array.from({ length: 45_000 }, (_, id) => ((id * 7919) % 45_000) / 1000)
  const candidates = rankCandidates(logits)
  const ids = Array.from({ length: 45_000 }, (_, rank) => candidates.at(rank) ?? -1)
  expect([ids.at(-1), candidates.at(45_000)]).toEqual([0, null])
  expect(ids).toEqual([...ids].sort((one, other) => (logits[other] ?? 0) - (logits[one] ?? 0)))
})
