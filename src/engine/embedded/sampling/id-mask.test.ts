import { expect, test } from 'vitest'
import { createIdMask } from './id-mask.ts'

const low = Number.NEGATIVE_INFINITY

test('only the logits of allowed ids are left, and the original is not changed', () => {
  const mask = createIdMask([1, 3])
  const logits = Float32Array.of(5, 4, 3, 2)
  expect([...mask(logits)]).toEqual([low, 4, low, 2])
  expect([...mask(Float32Array.of(1, 2, 3, 4))]).toEqual([low, 2, low, 4])
  expect([...logits]).toEqual([5, 4, 3, 2])
})

test('without a list every id is allowed', () => {
  const logits = Float32Array.of(1, 2)
  expect(createIdMask(null)(logits)).toBe(logits)
})
