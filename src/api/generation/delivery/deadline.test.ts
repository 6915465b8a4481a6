import { expect, test } from 'vitest'
import { createManualClock } from '../../../../test/harness/manual-clock.ts'
import { type Deadline, withDeadline } from './deadline.ts'

const limitMs = 1000

const start = () => {
  const clock = createManualClock()
  const begun = Promise.withResolvers<{ signal: AbortSignal; deadline: Deadline }>()
  const ending = Promise.withResolvers<void>()
  const work = withDeadline(new AbortController().signal, limitMs, clock, (signal, deadline) => {
    begun.resolve({ signal, deadline })
    return ending.promise
  })
  return { clock, begun: begun.promise, end: ending.resolve, work }
}

test('the signal aborts when the limit has passed, not before', async () => {
  const { clock, begun, end, work } = start()
  const { signal } = await begun
  clock.advance(limitMs - 1)
  expect(signal.aborted).toBe(false)
  clock.advance(1)
  expect(signal.reason).toMatchObject({ errorName: 'generation_timeout' })
  end()
  await work
})

test('time that is excluded is added to the limit, also if it grows meanwhile', async () => {
  const { clock, begun, end, work } = start()
  const { signal, deadline } = await begun
  let pausedMs = 0
  deadline.exclude(() => pausedMs)
  for (const more of [400, 300]) {
    pausedMs += more
    clock.advance(more)
  }
  clock.advance(limitMs - 1)
  expect(signal.aborted).toBe(false)
  clock.advance(1)
  expect(signal.aborted).toBe(true)
  end()
  await work
})

test('nothing is left to wait for once the work has ended or the answer is complete', async () => {
  const { clock, begun, end, work } = start()
  const { signal, deadline } = await begun
  deadline.exclude(() => 500)
  clock.advance(limitMs)
  expect(clock.pending()).toBe(1)
  deadline.complete()
  expect(clock.pending()).toBe(0)
  clock.advance(10 * limitMs)
  expect(signal.aborted).toBe(false)
  end()
  await work
})
