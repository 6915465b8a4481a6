import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blockTokens, planBatch, type Reading, remainderStart } from './batch-planner.ts'

const capacity = 512
const prompts = fc.array(fc.integer({ min: 1, max: 1500 }), { minLength: 1, maxLength: 8 })
const budgets = fc.integer({ min: 0, max: 2000 })
const readingOf = (lengths: readonly number[]): Reading[] =>
  lengths.map((promptTokens, sequence) => ({ sequence, promptTokens, readTokens: 0 }))

/** Reads all prompts to their ends and returns the steps it took. */
const readAll = (lengths: readonly number[], generating: number, promptBudget: number) => {
  let reading = readingOf(lengths)
  const steps = []
  while (reading.length > 0) {
    const { slices, nextOrder } = planBatch({ generating, reading, promptBudget, capacity })
    steps.push(slices)
    const read = new Map(slices.map(({ sequence, tokens }) => [sequence, tokens]))
    const after = reading.map((one) => ({ ...one, readTokens: one.readTokens + (read.get(one.sequence) ?? 0) }))
    const bySequence = new Map(after.map((one) => [one.sequence, one]))
    reading = nextOrder.flatMap((sequence) => {
      const one = bySequence.get(sequence)
      return one && one.readTokens < one.promptTokens ? [one] : []
    })
  }
  return steps
}

test('every prompt is read once, without a gap, and sampled behind its last token only', () => {
  fc.assert(
    fc.property(prompts, fc.nat({ max: 256 }), budgets, (lengths, generating, budget) => {
      const steps = readAll(lengths, generating, budget)
      for (const [sequence, length] of lengths.entries()) {
        const slices = steps.flat().filter((slice) => slice.sequence === sequence)
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
    fc.property(prompts, fc.nat({ max: 256 }), budgets, (lengths, generating, budget) => {
      for (const slices of readAll(lengths, generating, budget)) {
        const tokens = slices.reduce((sum, slice) => sum + slice.tokens, 0)
        expect(tokens).toBeGreaterThan(0)
        expect(tokens + generating).toBeLessThanOrEqual(capacity)
        expect(tokens).toBeLessThanOrEqual(Math.max(blockTokens, budget))
      }
    }),
  )
})

test('no prompt waits while another is served twice', () => {
  fc.assert(
    fc.property(prompts, fc.nat({ max: 256 }), (lengths, generating) => {
      const steps = readAll(lengths, generating, blockTokens)
      const lastServed = new Map(lengths.map((_, sequence) => [sequence, -1]))
      for (const [step, slices] of steps.entries())
        for (const { sequence, isLast } of slices) {
          const waited = step - (lastServed.get(sequence) ?? -1)
          expect(waited).toBeLessThanOrEqual(lengths.length)
          lastServed.set(sequence, isLast ? Number.POSITIVE_INFINITY : step)
        }
    }),
  )
})

test('prompts are cut at the same places whatever the budget, and the remainder is read apart', () => {
  fc.assert(
    fc.property(prompts, fc.nat({ max: 256 }), budgets, (lengths, generating, budget) => {
      for (const { sequence, from, tokens } of readAll(lengths, generating, budget).flat()) {
        const boundary = remainderStart(lengths[sequence] ?? 0)
        if (from < boundary) expect([from % blockTokens, tokens % blockTokens]).toEqual([0, 0])
        else expect(tokens).toBeLessThan(blockTokens)
      }
    }),
  )
})
