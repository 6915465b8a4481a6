import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { createMeasuredSpeed } from './measured-speed.ts'

const measure = (
  speed: ReturnType<typeof createMeasuredSpeed>,
  answers: number,
  firstTokenMs: number,
  tokens = 100,
) => {
  for (let answer = 0; answer < answers; answer += 1) {
    speed.began(firstTokenMs)
    speed.answered(tokens, tokens * 10)
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
