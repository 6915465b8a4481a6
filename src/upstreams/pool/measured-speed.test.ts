import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { createMeasuredSpeed } from './measured-speed.ts'

const measure = (
  speed: ReturnType<typeof createMeasuredSpeed>,
  answers: number,
  firstTokenMs: number,
  tokens = 100,
  msPerToken = 10,
) => {
  for (let answer = 0; answer < answers; answer += 1) {
    speed.began(firstTokenMs)
    speed.answered(tokens, tokens * msPerToken)
  }
}

test('an ordinary answer is expected to take its first token and 256 more', () => {
  const speed = createMeasuredSpeed(createManualClock())
  measure(speed, 4, 200)
  expect(speed.expectedMs()).toBeNull()
  measure(speed, 1, 200)
  expect(speed.expectedMs()).toBe(200 + 256 * 10)
})

test('it follows a change, and forgets what was long ago', () => {
  const clock = createManualClock()
  const speed = createMeasuredSpeed(clock)
  measure(speed, 5, 100)
  measure(speed, 30, 1000)
  expect(speed.expectedMs()).toBeGreaterThan(2560 + 990)
  clock.advance(300_001)
  expect(speed.expectedMs()).toBeNull()
  measure(speed, 5, 50)
  expect(speed.expectedMs()).toBeCloseTo(50 + 2560)
})

test('short answers say nothing about the speed', () => {
  const speed = createMeasuredSpeed(createManualClock())
  measure(speed, 5, 100)
  speed.answered(2, 60_000)
  expect(speed.expectedMs()).toBe(100 + 2560)
})

test('answers that come whole say how long an ordinary one takes, too', () => {
  const speed = createMeasuredSpeed(createManualClock())
  for (let answer = 0; answer < 5; answer += 1) speed.cameWhole(256, 4000)
  expect(speed.expectedMs()).toBeCloseTo(4000)
  for (let answer = 0; answer < 30; answer += 1) speed.cameWhole(256, 1000)
  expect(speed.expectedMs()).toBeCloseTo(1000, -1)
})

test('vectors and scores, which have no tokens, say how long they take', () => {
  const speed = createMeasuredSpeed(createManualClock())
  for (let answer = 0; answer < 5; answer += 1) speed.cameWhole(0, 300)
  expect(speed.expectedMs()).toBe(300)
})

const answers = fc.array(fc.record({ tokens: fc.integer({ min: 1, max: 20_000 }), isWhole: fc.boolean() }))

test('what streams have shown does not change if answers of the same speed come whole, however long they are', () => {
  const speeds = fc.record({ first: fc.integer({ min: 1, max: 10_000 }), perToken: fc.integer({ min: 1, max: 500 }) })
  fc.assert(
    fc.property(speeds, answers, ({ first, perToken }, mix) => {
      const speed = createMeasuredSpeed(createManualClock())
      measure(speed, 5, first, 100, perToken)
      for (const { tokens, isWhole } of mix)
        if (isWhole) speed.cameWhole(tokens, first + tokens * perToken)
        else measure(speed, 1, first, tokens, perToken)
      expect(speed.expectedMs()).toBeCloseTo(first + 256 * perToken, 3)
    }),
  )
})

test('whatever it is told, what it expects is a time', () => {
  const times = fc.array(fc.tuple(fc.nat(5000), fc.double({ min: 0, max: 1e7, noNaN: true }), fc.boolean()), {
    minLength: 5,
  })
  fc.assert(
    fc.property(times, (all) => {
      const speed = createMeasuredSpeed(createManualClock())
      for (const [tokens, ms, isWhole] of all)
        if (isWhole) speed.cameWhole(tokens, ms)
        else {
          speed.began(ms)
          speed.answered(tokens, ms)
        }
      expect(speed.expectedMs()).toSatisfy((ms: number) => Number.isFinite(ms) && ms >= 0)
    }),
  )
})
