import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from './random.ts'
import { sampleAllowed } from './sample-allowed.ts'

const open = { temperature: 1, topP: 1, topK: 0, minP: 0 }

test('a token that is not allowed is never returned, and the logits are as they were', () => {
  const logits = fc.array(fc.float({ min: -5, max: 5, noNaN: true }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(
      logits,
      fc.func(fc.boolean()),
      fc.integer({ min: 1, max: 8 }),
      fc.nat(),
      (given, allows, tries, seed) => {
        const logits = Float32Array.from(given)
        const id = sampleAllowed(logits, open, { allows, tries }, createRandom(seed))
        if (id !== null) expect(allows(id)).toBe(true)
        expect(logits).toEqual(Float32Array.from(given))
      },
    ),
  )
})

test('the allowed tokens keep their proportions', () => {
  const logits = Float32Array.from([8, 4, 2, 1, 1].map(Math.log))
  const random = createRandom(3)
  const counts = [0, 0, 0, 0, 0]
  for (let round = 0; round < 10_000; round += 1) {
    const id = sampleAllowed(logits, open, { allows: (id) => id !== 0 && id !== 4, tries: 3 }, random) ?? -1
    counts[id] = (counts[id] ?? 0) + 1
  }
  for (const [id, due] of [0, 4 / 7, 2 / 7, 1 / 7, 0].entries())
    expect(Math.abs((counts[id] ?? 0) / 10_000 - due)).toBeLessThan(0.02)
})

test('logits that are no numbers are a fault of the model, not the end of an answer', () => {
  const broken = () => new Float32Array(5).fill(Number.NaN)
  expect(() => sampleAllowed(broken(), open, { allows: () => true, tries: 1 }, () => 0.5)).toThrow('no finite logit')
})
