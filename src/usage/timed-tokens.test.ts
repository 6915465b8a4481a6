import { expect, test } from 'vitest'
import { measureTimedMs } from './timed-tokens.ts'

const route = { upstreams: ['a'], attempts: 1, isContinued: false }
const stream = { stream: true }
const ended = { outcome: 'completed', firstTokenMs: 500, durationMs: 2500 } as const
const tokens = (completionTokens: number) => ({ completionTokens })

test('a stream of 20 tokens has a speed from 200 ms after the first on, and one of 19 tokens has none', () => {
  expect(measureTimedMs(stream, tokens(20), ended)).toBe(2000)
  expect(measureTimedMs(stream, tokens(20), { ...ended, durationMs: 700 })).toBe(200)
  expect(measureTimedMs(stream, tokens(1000), { ...ended, durationMs: 699 })).toBeNull()
  expect(measureTimedMs(stream, tokens(19), ended)).toBeNull()
})

test('an answer that came in one piece has no speed, nor has one that failed or that its client left', () => {
  expect(measureTimedMs({ stream: false }, tokens(100), ended)).toBeNull()
  expect(measureTimedMs({ ...stream, cachedFrom: 'req_1' }, tokens(100), ended)).toBeNull()
  for (const outcome of ['failed', 'client_closed', 'server_died'] as const)
    expect(measureTimedMs(stream, tokens(100), { ...ended, outcome })).toBeNull()
  expect(measureTimedMs(stream, tokens(100), { ...ended, firstTokenMs: null })).toBeNull()
})

test('the speed of an upstream is that of what arrives: what hooks take after it is no part of it', () => {
  const timed = (answerMs: number) => ({ ...ended, route: { ...route, timing: { firstTokenMs: 400, answerMs } } })
  expect(measureTimedMs(stream, tokens(100), timed(1500))).toBe(1500)
  expect(measureTimedMs(stream, tokens(100), timed(10))).toBeNull()
  expect(measureTimedMs(stream, tokens(100), { ...ended, route })).toBeNull()
})
