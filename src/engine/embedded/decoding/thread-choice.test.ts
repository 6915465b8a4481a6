import { expect, test } from 'vitest'
import { createThreadChoice } from './thread-choice.ts'

/** Runs steps of 50 ms in which the threads get so much of their time; returns how many threads each step used. */
const run = (
  choice: ReturnType<typeof createThreadChoice>,
  fromMs: number,
  forMs: number,
  share: (threads: number) => number,
) => {
  const used: number[] = []
  for (let nowMs = fromMs; nowMs < fromMs + forMs; nowMs += 50) {
    const threads = choice.threads()
    used.push(threads)
    choice.observe({ tookMs: 50, cpuMs: 50 * threads * share(threads), nowMs })
  }
  return used
}
const shareOf = (used: number[], threads: number) => used.filter((one) => one === threads).length / used.length

test('on free cores all threads are used', () => {
  expect(new Set(run(createThreadChoice(4), 0, 60_000, () => 0.97))).toEqual(new Set([4]))
})

test('beside a program that takes one of two cores, one thread is used nearly all the time', () => {
  const used = run(createThreadChoice(2), 0, 300_000, (threads) => (threads === 2 ? 0.6 : 0.95))
  expect(shareOf(used, 1)).toBeGreaterThan(0.95)
})

test('once the cores are free again all threads are', () => {
  const choice = createThreadChoice(4)
  run(choice, 0, 60_000, () => 0.4)
  expect(choice.threads()).toBe(1)
  run(choice, 60_000, 300_000, () => 0.97)
  expect(choice.threads()).toBe(4)
})

test('one slow step changes nothing', () => {
  const choice = createThreadChoice(2)
  run(choice, 0, 10_000, () => 0.97)
  run(choice, 10_000, 50, () => 0.2)
  expect(new Set(run(choice, 10_050, 10_000, () => 0.97))).toEqual(new Set([2]))
})

test('once a core is idle again, a thread that was dropped is back within two seconds', () => {
  let idleMs = 0
  const choice = createThreadChoice(2, () => idleMs)
  run(choice, 0, 2_000, () => 0.6)
  expect(choice.threads()).toBe(1)
  const used: number[] = []
  for (let nowMs = 2_000; nowMs < 5_000; nowMs += 50) {
    idleMs += 50
    used.push(...run(choice, nowMs, 50, () => 0.97))
  }
  expect(used.indexOf(2)).toBeGreaterThan(0)
  expect(used.indexOf(2)).toBeLessThanOrEqual(40)
  expect(used.at(-1)).toBe(2)
})

test('a core that is idle but not ours to use is tried less and less often', () => {
  let idleMs = 0
  const choice = createThreadChoice(2, () => idleMs)
  const used: number[] = []
  for (let nowMs = 0; nowMs < 300_000; nowMs += 50) {
    idleMs += 50
    used.push(...run(choice, nowMs, 50, (threads) => (threads === 2 ? 0.6 : 0.95)))
  }
  expect(shareOf(used, 1)).toBeGreaterThan(0.93)
})

test('a burst of other work of half a second changes nothing', () => {
  const choice = createThreadChoice(2)
  run(choice, 0, 10_000, () => 0.97)
  run(choice, 10_000, 500, () => 0.5)
  expect(new Set(run(choice, 10_500, 10_000, () => 0.97))).toEqual(new Set([2]))
})

test('threads that sleep because a step is too small for all of them are kept', () => {
  const choice = createThreadChoice(8, undefined, () => 0)
  expect(new Set(run(choice, 0, 60_000, () => 0.6))).toEqual(new Set([8]))
})

test('threads that wait for cores which others use are dropped', () => {
  let waitedMs = 0
  const choice = createThreadChoice(2, undefined, () => waitedMs)
  for (let nowMs = 0; nowMs < 10_000; nowMs += 50) {
    waitedMs += choice.threads() === 2 ? 0.4 * 2 * 50 : 0
    run(choice, nowMs, 50, (threads) => (threads === 2 ? 0.6 : 0.95))
    if (nowMs === 4_000) expect(choice.threads()).toBe(1)
  }
})
