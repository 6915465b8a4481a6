import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gridRuns } from '../../../../test/harness/grid.ts'
import { topTokens } from './top-tokens.ts'

/** Up to 79 blocks, in most of which some logits are equal; rising, falling or neither. */
const vocabulary = fc
  .record({
    length: fc.integer({ min: 1, max: 20_000 }),
    different: fc.constantFrom(1, 3, 500, 1e6),
    slope: fc.constantFrom(0, 1e-3, -1e-3),
    multiplier: fc.integer({ min: 1, max: 1e6 }),
    missing: fc.constantFrom(Number.NaN, Number.NEGATIVE_INFINITY),
  })
  .map(({ length, different, slope, multiplier, missing }) =>
    Float32Array.from({ length }, (_, id) =>
      id % 1013 === 5 ? missing : (((id * multiplier) % 7919) % different) + id * slope,
    ),
  )

test('the most likely tokens are those that come first when all are sorted', () => {
  fc.assert(
    fc.property(vocabulary, fc.constantFrom(1, 2, 20, 40, 78, 79, 300, 30_000), (logits, count) => {
      const ranked = Array.from(logits.keys())
        .filter((id) => (logits[id] ?? 0) > Number.NEGATIVE_INFINITY)
        .sort((one, other) => (logits[other] ?? 0) - (logits[one] ?? 0) || one - other)
      expect([...topTokens(logits, count)]).toEqual(ranked.slice(0, count))
      const [after] = ranked.slice(2, 3)
      if (after === undefined) return
      const behind = topTokens(logits, count, { id: after, logit: logits[after] ?? 0 })
      expect([...behind]).toEqual(ranked.slice(3, 3 + count))
    }),
    { numRuns: gridRuns(150) },
  )
})
