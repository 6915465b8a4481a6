import { expect, test } from 'vitest'
import { createSharedTicks } from './shared-ticks.ts'
import { isHung, lookAtTicks, lookMs, noSilence, type WorkerSilence } from './worker-silence.ts'

const looks = (count: number): number[] => Array.from({ length: count }, () => lookMs)

/** The times between looks at a worker that counts before the first of them and never again. */
const afterOneTick = (passed: readonly number[]): WorkerSilence =>
  passed.reduce((silence, passedMs) => lookAtTicks(silence, 1, passedMs), lookAtTicks(noSilence, 1, lookMs))

test('a worker that does not count for 30 seconds is hung', () => {
  expect(isHung(afterOneTick([]))).toBe(false)
  expect(isHung(afterOneTick(looks(5)))).toBe(false)
  expect(afterOneTick(looks(6)).silentMs).toBe(30_000)
  expect(isHung(afterOneTick(looks(6)))).toBe(true)
})

test('an idle worker counts, so it never is; neither is one that counts once in a while', () => {
  let silence = noSilence
  for (let look = 1; look <= 1000; look += 1) {
    silence = lookAtTicks(silence, Math.floor(look / 5), lookMs)
    expect(isHung(silence)).toBe(false)
  }
  expect(silence).toEqual({ ticks: 200, hasTicked: true, silentMs: 0 })
})

test('a worker that starts may take five times as long until it first counts', () => {
  const starting = (count: number): WorkerSilence =>
    looks(count).reduce((silence, passedMs) => lookAtTicks(silence, 0, passedMs), noSilence)
  expect(isHung(starting(29))).toBe(false)
  expect(isHung(starting(30))).toBe(true)
  const started = lookAtTicks(starting(29), 1, lookMs)
  expect(started).toEqual({ ticks: 1, hasTicked: true, silentMs: 0 })
})

test('what passes before a late look does not count: the authority was held up, too', () => {
  const hourMs = 3_600_000
  expect(afterOneTick([hourMs]).silentMs).toBe(0)
  expect(afterOneTick(Array.from({ length: 100 }, () => hourMs)).silentMs).toBe(0)
  expect(isHung(afterOneTick([...looks(5), hourMs]))).toBe(false)
  expect(isHung(afterOneTick([...looks(5), hourMs, ...looks(1)]))).toBe(true)
  // A few milliseconds late is on time.
  expect(afterOneTick([lookMs + 20, lookMs + 7]).silentMs).toBe(2 * lookMs + 27)
})

test('a tick that is seen by a late look is one', () => {
  expect(lookAtTicks(afterOneTick(looks(5)), 2, 60_000)).toEqual({ ticks: 2, hasTicked: true, silentMs: 0 })
})

test('numbers that begin again are other numbers, and 0 is no start', () => {
  const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const numbers = new Int32Array(memory)
  const ticks = createSharedTicks(memory)
  for (const last of [2 ** 31 - 1, -1]) {
    numbers[0] = last
    let silence = lookAtTicks(noSilence, ticks.current(), lookMs)
    silence = looks(5).reduce((before, passedMs) => lookAtTicks(before, ticks.current(), passedMs), silence)
    ticks.add()
    silence = lookAtTicks(silence, ticks.current(), lookMs)
    expect(silence).toEqual({ ticks: last === -1 ? 0 : -(2 ** 31), hasTicked: true, silentMs: 0 })
    for (const passedMs of looks(6)) silence = lookAtTicks(silence, ticks.current(), passedMs)
    expect(isHung(silence)).toBe(true)
  }
})
