import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addToCandidates, toCandidates } from './candidates.ts'

const candidates = fc.array(fc.double({ min: -20, max: -1e-9, noNaN: true }), { maxLength: 40 }).map((logprobs) => ({
  ids: Uint32Array.from(logprobs, (_, id) => id),
  logprobs: Float64Array.from(logprobs.sort((one, other) => other - one)),
}))
const additions = fc
  .array(fc.tuple(fc.nat({ max: 50 }), fc.double({ min: -100, max: 100, noNaN: true })))
  .map((entries) => new Map(entries))

test('what is added is added, and the order is right again', () => {
  fc.assert(
    fc.property(candidates, additions, (before, added) => {
      const after = addToCandidates(before, added)
      const expected = Array.from(before.ids, (id, index) => [id, (before.logprobs[index] ?? 0) + (added.get(id) ?? 0)])
      const pairs = Array.from(after.ids, (id, index) => [id, after.logprobs[index]])
      expect(new Map(pairs as [number, number][])).toEqual(new Map(expected as [number, number][]))
      expect(Array.from(after.logprobs)).toEqual(Array.from(after.logprobs).sort((one, other) => other - one))
    }),
  )
})

test('a probability too small for its bits is a small one, not none', () => {
  const { logprobs } = toCandidates(
    new Map([
      [3, 1],
      [1, 0],
    ]),
  )
  expect(Array.from(logprobs)).toEqual([0, expect.closeTo(-103.28, 1)])
})
