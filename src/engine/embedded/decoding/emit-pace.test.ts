import { expect, test } from 'vitest'
import type { DecodeEvent } from './decode-loop.ts'
import { createEmitPace } from './emit-pace.ts'

const token = (completionTokens: number, end: 'stop' | null = null): DecodeEvent => {
  const step = { token: { id: 1 }, end }
  return { type: 'step', id: 7, step, cachedTokens: 0, completionTokens }
}

/** After which steps of such a length a message is sent. */
const sentAfter = (tookMs: number, steps: number): number[] => {
  const pace = createEmitPace(16)
  const sent: number[] = []
  pace.emitted(0)
  for (let step = 1; step <= steps; step += 1) {
    const nowMs = step * tookMs
    if (pace.mayWait([token(step + 1)], { tookMs, nowMs })) continue
    pace.emitted(nowMs)
    sent.push(step)
  }
  return sent
}

test('tokens of quick steps are sent together, those of others after each step', () => {
  expect(sentAfter(5, 9)).toEqual([3, 6, 9])
  expect(sentAfter(7, 4)).toEqual([2, 4])
  expect(sentAfter(8, 4)).toEqual([1, 2, 3, 4])
})

test('the first token of an answer, its end and a failure are sent at once', () => {
  const pace = createEmitPace(16)
  pace.emitted(0)
  const soon = { tookMs: 1, nowMs: 1 }
  expect(pace.mayWait([token(2), token(3)], soon)).toBe(true)
  expect(pace.mayWait([token(2), token(1)], soon)).toBe(false)
  expect(pace.mayWait([token(5, 'stop')], soon)).toBe(false)
  expect(pace.mayWait([{ type: 'failed' }], soon)).toBe(false)
})
