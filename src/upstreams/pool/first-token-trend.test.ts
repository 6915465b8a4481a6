import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFirstTokenTrend } from './first-token-trend.ts'

test('streams that begin far later than before are noticed after a few, and no longer once that is usual', () => {
  const trend = createFirstTokenTrend()
  for (let stream = 0; stream < 10; stream += 1) expect(trend.add(100)).toBe(false)
  const seen = Array.from({ length: 600 }, () => trend.add(5000))
  expect(seen[0]).toBe(false)
  expect(seen.slice(2, 50)).not.toContain(false)
  expect(seen.at(-1)).toBe(false)
})

test('no times that differ by less than four times or a second are far later', () => {
  const within = fc.record({
    least: fc.integer({ min: 0, max: 60_000 }),
    more: fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  fc.assert(
    fc.property(within, ({ least, more }) => {
      const trend = createFirstTokenTrend()
      for (const share of more) expect(trend.add(least + share * Math.max(3 * least, 1000))).toBe(false)
    }),
  )
})
