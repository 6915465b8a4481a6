import { expect, test } from 'vitest'
import { addProgress, countInBins, endedParts, type Pace } from './pace.ts'

const follow = (...progress: [completionTokens: number, afterMs: number][]): Pace | undefined =>
  progress.reduce<Pace | undefined>(
    (pace, [completionTokens, afterMs]) => addProgress(pace, { completionTokens, afterMs }),
    undefined,
  )

test('tokens are drawn where they were seen to come, however long the answer paused', () => {
  const pace = follow([0, 0], [10, 2000], [10, 2000], [30, 9000])
  expect(pace?.parts).toEqual([
    { fromMs: 1000, toMs: 2000, tokens: 10 },
    { fromMs: 8000, toMs: 9000, tokens: 20 },
  ])
  expect(countInBins(pace?.parts ?? [], 10_000, 10)).toEqual([0, 10, 0, 0, 0, 0, 0, 0, 20, 0])
})

test('what came before the page was opened is spread evenly, from the first token on once that is known', () => {
  const pace = follow([40, 4000], [44, 4500])
  expect(pace?.parts[0]).toEqual({ fromMs: 0, toMs: 4000, tokens: 40 })
  const ended = { completionTokens: 50, firstTokenMs: 1000, durationMs: 5000 }
  expect(endedParts(pace, ended)).toEqual([
    { fromMs: 1000, toMs: 4000, tokens: 40 },
    { fromMs: 4000, toMs: 4500, tokens: 4 },
    { fromMs: 4500, toMs: 5000, tokens: 6 },
  ])
  expect(endedParts(undefined, ended)).toEqual([{ fromMs: 1000, toMs: 5000, tokens: 50 }])
})

test('no answer is so long that its parts do not fit, and none of its tokens is lost', () => {
  const progress = Array.from({ length: 5000 }, (_, index): [number, number] => [index * 7, index * 500])
  const pace = follow(...progress)
  expect(pace?.parts.length).toBeLessThanOrEqual(64)
  const counts = countInBins(pace?.parts ?? [], 2_500_000, 30)
  expect(Math.round(counts.reduce((sum, count) => sum + count, 0))).toBe(4999 * 7)
  expect(Math.max(...counts) / Math.min(...counts)).toBeLessThan(1.1)
})

test('an answer that begins again with another upstream begins again', () => {
  expect(follow([0, 0], [10, 2000], [3, 3000])).toMatchObject({ tokens: 3, parts: [{ tokens: 3 }] })
})
