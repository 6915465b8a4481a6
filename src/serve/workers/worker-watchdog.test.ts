import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { createSharedTicks } from './shared-ticks.ts'
import { lookMs } from './worker-silence.ts'
import { createWorkerWatchdog } from './worker-watchdog.ts'

/** Two workers, which count before each look as long as they are in `counting`. */
const open = () => {
  const manual = createManualClock()
  let heldUpMs = 0
  const clock = { ...manual, monotonicMs: () => manual.monotonicMs() + heldUpMs }
  const watchdog = createWorkerWatchdog(clock)
  const ticks = [createSharedTicks(), createSharedTicks()]
  const counting = new Set([0, 1])
  const hung: { worker: number; silentMs: number }[] = []
  const unwatch = ticks.map((own, worker) => watchdog.watch(own, (silentMs) => hung.push({ worker, silentMs })))
  const look = async (times: number, lateMs = 0): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      for (const worker of counting) ticks[worker]?.add()
      heldUpMs += lateMs
      manual.advance(lookMs)
      await nextTurn()
    }
  }
  return { manual, watchdog, counting, hung, unwatch, look }
}

test('the worker that hangs is told of once, the other never', async () => {
  const { counting, hung, look } = open()
  await look(3)
  counting.delete(1)
  await look(5)
  expect(hung).toEqual([])
  await look(1)
  expect(hung).toEqual([{ worker: 1, silentMs: 30_000 }])
  await look(100)
  expect(hung).toHaveLength(1)
})

test('while the authority is late at every look, no worker is taken for hung', async () => {
  const { counting, hung, look } = open()
  await look(1)
  counting.clear()
  await look(100, 3000)
  expect(hung).toEqual([])
  await look(6)
  expect(hung).toHaveLength(2)
})

test('however far the clock goes at once, it is one look', async () => {
  const { manual, counting, hung, look } = open()
  await look(1)
  counting.clear()
  manual.advance(3_600_000)
  await nextTurn()
  expect(hung).toEqual([])
})

test('a worker that has ended is not looked at, and nothing stays behind once it is closed', async () => {
  const { manual, watchdog, counting, hung, unwatch, look } = open()
  await look(1)
  counting.clear()
  unwatch[0]?.()
  await look(6)
  expect(hung).toMatchObject([{ worker: 1 }])
  manual.advance(lookMs)
  watchdog.close()
  await nextTurn()
  expect(manual.pending()).toBe(0)
})
