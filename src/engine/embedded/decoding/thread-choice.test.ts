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
