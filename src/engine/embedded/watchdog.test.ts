import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import type { StepProgress } from './step-progress.ts'
import { createWatchdog, type Hang } from './watchdog.ts'

/** A process that answers each question with what `answer` returns; undefined: it does not. */
const watch = (answer: () => StepProgress | null | undefined) => {
  const clock = createManualClock()
  const hangs: Hang[] = []
  const watchdog = createWatchdog({
    silenceLimitMs: 28_000,
    clock,
    ask() {
      const progress = answer()
      if (progress !== undefined) watchdog.answered(progress)
    },
    onHung: (hang) => hangs.push(hang),
  })
  watchdog.start()
  /** Until it is found to hang, or for so long. */
  const pass = (ms: number): number => {
    let passedMs = 0
    for (; hangs.length === 0 && passedMs < ms; passedMs += 1000) clock.advance(1000)
    return passedMs
  }
  return { clock, watchdog, hangs, pass }
}

test('a process that answers is left alone, and nothing stays behind when it is gone', () => {
  const { clock, watchdog, hangs, pass } = watch(() => null)
  watchdog.loaded()
  pass(3_600_000)
  expect(hangs).toEqual([])
  watchdog.stop()
  expect(clock.pending()).toBe(0)
})

test('from whichever moment on a loaded process is silent, it is noticed after 20 and within 30 seconds', () => {
  for (let beforeMs = 60_000; beforeMs < 64_000; beforeMs += 500) {
    let isAlive = true
    const { clock, watchdog, hangs, pass } = watch(() => (isAlive ? null : undefined))
    watchdog.loaded()
    clock.advance(beforeMs)
    isAlive = false
    const passedMs = pass(60_000)
    expect(passedMs).toBeGreaterThan(20_000)
    expect(passedMs).toBeLessThan(30_000)
    expect(hangs).toMatchObject([{ reason: 'silent' }])
    clock.advance(3_600_000)
    expect(hangs).toHaveLength(1)
  }
})

test('answers that are late are answers', () => {
  let asked = 0
  const { watchdog, hangs, pass } = watch(() => {
    asked += 1
    return asked % 5 === 0 ? null : undefined
  })
  watchdog.loaded()
  pass(3_600_000)
  expect(hangs).toEqual([])
})

test('a server that was held up itself does not take that for silence', () => {
  let isAlive = true
  const { clock, watchdog, hangs, pass } = watch(() => (isAlive ? null : undefined))
  watchdog.loaded()
  pass(10_000)
  isAlive = false
  pass(8_000)
  // Its timers are late; what the process has answered meanwhile is read behind them.
  clock.advance(1)
  isAlive = true
  pass(60_000)
  expect(hangs).toEqual([])
})

test('a process that loads has five times as long', () => {
  const { hangs, pass } = watch(() => undefined)
  expect(pass(600_000)).toBeGreaterThan(120_000)
  expect(hangs).toMatchObject([{ reason: 'silent' }])
})

test('a long prompt, many steps long, is no hang; one step without an end is, after five minutes', () => {
  let steps = 0
  const working = watch(() => {
    steps += 1
    return { steps: Math.floor(steps / 30), isStepping: true }
  })
  working.watchdog.loaded()
  working.pass(3_600_000)
  expect(working.hangs).toEqual([])

  const idle = watch(() => ({ steps: 7, isStepping: false }))
  idle.watchdog.loaded()
  idle.pass(3_600_000)
  expect(idle.hangs).toEqual([])

  const stalled = watch(() => ({ steps: 7, isStepping: true }))
  stalled.watchdog.loaded()
  const passedMs = stalled.pass(3_600_000)
  expect(passedMs).toBeGreaterThan(290_000)
  expect(passedMs).toBeLessThan(320_000)
  expect(stalled.hangs).toMatchObject([{ reason: 'step_stalled' }])
})

test('a new process begins anew', () => {
  let isAlive = false
  const { watchdog, hangs, pass } = watch(() => (isAlive ? null : undefined))
  watchdog.loaded()
  pass(20_000)
  isAlive = true
  watchdog.start()
  watchdog.loaded()
  pass(600_000)
  expect(hangs).toEqual([])
})
