import fc from 'fast-check'
import { expect, test } from 'vitest'
import { strandPath } from './strand-path.ts'

test('one point is a place, two are joined', () => {
  expect(strandPath([[1, 2]])).toBe('M1 2')
  expect(
    strandPath([
      [0, 0],
      [30, 10],
    ]),
  ).toBe('M0 0C10 0 20 10 30 10')
})

test('the strand never leaves the values that it joins', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 20 }), (values) => {
      const path = strandPath(values.map((value, index) => [index * 30, value]))
      const pieces = path.split('C').slice(1)
      for (const [index, piece] of pieces.entries()) {
        const [one = 0, two = 0] = [values[index], values[index + 1]]
        const heights = (piece.match(/-?[\d.]+/g) ?? []).map(Number).filter((_, place) => place % 2 === 1)
        for (const height of heights) {
          expect(height).toBeGreaterThanOrEqual(Math.min(one, two) - 0.1)
          expect(height).toBeLessThanOrEqual(Math.max(one, two) + 0.1)
        }
      }
    }),
  )
})
