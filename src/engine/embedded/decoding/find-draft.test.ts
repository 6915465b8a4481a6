import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findDraft, maxSearched } from './find-draft.ts'

const numbers = (length: number, from = 0) => Array.from({ length }, (_, index) => from + index)
/** Few different tokens, so that many repeat. */
const texts = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 80 })

/** Length of the common end of two texts. */
const commonEnd = (one: readonly number[], other: readonly number[]) => {
  let common = 0
  while (common < Math.min(one.length, other.length) && one.at(-1 - common) === other.at(-1 - common)) common += 1
  return common
}

test('a draft is what followed the longest earlier match, the most recent one of several', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 5 }), (text, draftTokens) => {
      // Slow and obvious: every earlier place that is followed by enough tokens, most recent first.
      const places = text
        .map((_, index) => index + 1)
        .filter((end) => end + draftTokens <= text.length)
        .reverse()
        .map((end) => ({ end, matched: Math.min(16, commonEnd(text.slice(0, end), text)) }))
      const longest = Math.max(0, ...places.map(({ matched }) => matched))
      const best = longest < 4 ? undefined : places.find(({ matched }) => matched === longest)
      expect(findDraft(text, draftTokens)).toEqual(best ? text.slice(best.end, best.end + draftTokens) : [])
    }),
  )
})

test('a text that repeats itself is continued', () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 30 }), fc.integer({ min: 4, max: 20 }), (period, more) => {
      const text = numbers(2 * period + more).map((index) => index % period)
      expect(findDraft(text, 3)).toEqual(numbers(3, text.length).map((index) => index % period))
    }),
  )
})

test('nothing is drafted without a match of four tokens, or from too far back', () => {
  expect(findDraft([], 3)).toEqual([])
  expect(findDraft(numbers(100), 3)).toEqual([])
  expect(findDraft([1, 2, 3, 7, 8, 9, 1, 2, 3], 3)).toEqual([])
  expect(findDraft([1, 2, 3, 4, 7, 8, 9, 1, 2, 3, 4], 3)).toEqual([7, 8, 9])
  expect(findDraft([1, 2, 3, 4, 7, 8, 9, ...numbers(maxSearched, 100), 1, 2, 3, 4], 3)).toEqual([])
})
