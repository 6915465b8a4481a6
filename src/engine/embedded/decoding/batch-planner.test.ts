import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrivalOrderEvery, blockTokens, lastSliceStart, planBatch, type Reading } from './batch-planner.ts'

const capacity = 512
const prompts = fc.array(fc.integer({ min: 1, max: 1500 }), { minLength: 1, maxLength: 8 })
const budgets = fc.integer({ min: 0, max: 2000 })
const inFlights = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 8, maxLength: 8 })
const readingOf = (lengths: readonly number[], inFlight: readonly number[] = []): Reading[] =>
  lengths.map((promptTokens, sequence) => ({
    sequence,
    promptTokens,
    readTokens: 0,
    inFlight: inFlight[sequence] ?? lengths.length,
  }))

type Step = { slices: ReturnType<typeof planBatch>; before: Reading[] }

/** Reads all prompts to their ends and returns the steps it took. */
const readAll = (given: readonly Reading[], { generating = 0, promptBudget = blockTokens } = {}): Step[] => {
  let before = [...given]
  const steps: Step[] = []
  while (before.length > 0) {
    const slices = planBatch({ generating, reading: before, step: steps.length, promptBudget, capacity })
    steps.push({ slices, before })
    const readOf = ({ sequence }: Reading): number =>
      slices.reduce((sum, slice) => sum + (slice.sequence === sequence ? slice.tokens : 0), 0)
    before = before
      .map((one) => ({ ...one, readTokens: one.readTokens + readOf(one) }))
      .filter(({ readTokens, promptTokens }) => readTokens < promptTokens)
  }
  return steps
}
/** The step in which each prompt is finished, by sequence. */
const endsOf = (steps: readonly Step[]): Map<number, number> =>
  new Map(
    steps.flatMap(({ slices }, step) => slices.filter(({ isLast }) => isLast).map(({ sequence }) => [sequence, step])),
  )

test('every prompt is read once, without a gap, and sampled behind its last token only', () => {
  fc.assert(
    fc.property(prompts, inFlights, fc.nat({ max: 256 }), budgets, (lengths, inFlight, generating, promptBudget) => {
      const steps = readAll(readingOf(lengths, inFlight), { generating, promptBudget })
      for (const [sequence, length] of lengths.entries()) {
        const slices = steps.flatMap((step) => step.slices).filter((slice) => slice.sequence === sequence)
        let position = 0
        for (const { from, tokens, isLast } of slices) {
          expect(from).toBe(position)
          position += tokens
          expect(isLast).toBe(position === length)
        }
        expect(position).toBe(length)
      }
    }),
  )
})

test('a batch never holds more than it can, and holds a token of every running answer', () => {
  fc.assert(
    fc.property(prompts, inFlights, fc.nat({ max: 256 }), budgets, (lengths, inFlight, generating, promptBudget) => {
      for (const { slices } of readAll(readingOf(lengths, inFlight), { generating, promptBudget })) {
        const tokens = slices.reduce((sum, slice) => sum + slice.tokens, 0)
        expect(tokens).toBeGreaterThan(0)
        expect(tokens + generating).toBeLessThanOrEqual(capacity)
        expect(tokens).toBeLessThanOrEqual(Math.max(2 * blockTokens, promptBudget))
      }
    }),
  )
})

test('whatever the budget, a prompt is read in blocks or more at a time, and its last slice begins at the same place', () => {
  fc.assert(
    fc.property(prompts, inFlights, fc.nat({ max: 256 }), budgets, (lengths, inFlight, generating, promptBudget) => {
      for (const { slices } of readAll(readingOf(lengths, inFlight), { generating, promptBudget }))
        for (const { sequence, from, tokens, isLast } of slices) {
          const length = lengths[sequence] ?? 0
          expect(from % blockTokens).toBe(0)
          expect(tokens).toBeGreaterThanOrEqual(Math.min(blockTokens, length))
          if (isLast) expect(from).toBeLessThanOrEqual(lastSliceStart(length))
          else expect(from + tokens).toBeLessThanOrEqual(lastSliceStart(length))
        }
    }),
  )
})

test('beside a flood, the prompt of another organisation takes at most half as many steps again as alone', () => {
  fc.assert(
    fc.property(prompts, fc.integer({ min: 1, max: 1500 }), budgets, (flood, length, promptBudget) => {
      const own = { sequence: flood.length, promptTokens: length, readTokens: 0, inFlight: 1 }
      const others = readingOf(flood).map((one) => ({ ...one, inFlight: flood.length + 1 }))
      const alone = readAll([own], { promptBudget }).length
      const end = endsOf(readAll([...others, own], { promptBudget })).get(own.sequence) ?? Number.POSITIVE_INFINITY
      expect(end + 1).toBeLessThanOrEqual(1 + Math.ceil((alone * 3) / 2))
    }),
  )
})

test('prompts of one length get their first tokens one after the other, in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1500 }), fc.integer({ min: 1, max: 8 }), (length, count) => {
      const alone = readAll(readingOf([length])).length
      const ends = endsOf(readAll(readingOf(new Array(count).fill(length))))
      for (let sequence = 0; sequence < count; sequence += 1)
        expect(ends.get(sequence)).toBeLessThanOrEqual(alone * (sequence + 1) - 1)
    }),
  )
})

test('short prompts go first, but the oldest one is read on, whatever comes after it', () => {
  fc.assert(
    fc.property(prompts, inFlights, (lengths, inFlight) => {
      const steps = readAll(readingOf(lengths, inFlight))
      for (const [step, { slices, before }] of steps.entries())
        if (step % arrivalOrderEvery === 0) expect(slices[0]?.sequence).toBe(before[0]?.sequence)
    }),
  )
  const ends = endsOf(readAll(readingOf([1500, 100])))
  expect(ends.get(1)).toBeLessThanOrEqual(3)
})
