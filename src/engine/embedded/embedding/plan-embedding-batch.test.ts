import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planEmbeddingBatch } from './plan-embedding-batch.ts'

const plan = (lengths: readonly (readonly number[])[], targetTokens: number, maxInputs = 64) =>
  planEmbeddingBatch(
    lengths.map((own, id) => ({ id, lengths: own })),
    { targetTokens, maxInputs },
  )

test('requests take turns, so that a short one is not behind a long one', () => {
  expect(plan([new Array(100).fill(10), [10]], 50)).toEqual([
    { id: 0, inputs: 4 },
    { id: 1, inputs: 1 },
  ])
})

test('an input that is longer than the target is read alone', () => {
  expect(plan([[200, 10], [10]], 100)).toEqual([{ id: 0, inputs: 1 }])
})

test('an input that does not fit leaves its place to those of other requests', () => {
  expect(
    plan(
      [
        [40, 80],
        [40, 10],
      ],
      100,
    ),
  ).toEqual([
    { id: 0, inputs: 1 },
    { id: 1, inputs: 2 },
  ])
})

test('every plan embeds something, keeps its limits and takes the inputs of a request in order', () => {
  const lengths = fc.array(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 }), {
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(
      lengths,
      fc.integer({ min: 1, max: 512 }),
      fc.integer({ min: 1, max: 16 }),
      (all, target, maxInputs) => {
        const planned = plan(all, target, maxInputs)
        const tokens = planned.flatMap(({ id, inputs }) => all[id]?.slice(0, inputs) ?? [])
        expect(tokens.length).toBeGreaterThan(0)
        expect(tokens.length).toBeLessThanOrEqual(maxInputs)
        expect(tokens.length === 1 || tokens.reduce((sum, length) => sum + length, 0) <= target).toBe(true)
      },
    ),
  )
})
