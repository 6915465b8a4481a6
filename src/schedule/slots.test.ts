import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { createSlots } from './slots.ts'

const never = new AbortController().signal
const create = (options: { slots?: number; queueLimit?: number; queueTimeoutMs?: number } = {}) => {
  const clock = createManualClock()
  return { clock, slots: createSlots({ slots: 1, queueLimit: 10, queueTimeoutMs: 1000, clock, ...options }) }
}
const nameOf = (error: unknown): unknown => (error instanceof Error && 'errorName' in error ? error.errorName : error)

test('who waits is served in the order of arrival', async () => {
  const { slots } = create()
  const giveBack = await slots.take(never)
  const served: number[] = []
  const waiting = [1, 2, 3].map(async (number) => {
    const done = await slots.take(never)
    served.push(number)
    done()
  })
  giveBack()
  await Promise.all(waiting)
  expect(served).toEqual([1, 2, 3])
  expect(slots).toMatchObject({ running: 0, waiting: 0 })
})

test('a full queue refuses at once', async () => {
  const { slots } = create({ queueLimit: 1 })
  await slots.take(never)
  void slots.take(never)
  await expect(slots.take(never)).rejects.toMatchObject({ errorName: 'queue_full', options: { retryAfterMs: 2000 } })
})

test('a wait ends after its time, and its timer with it', async () => {
  const { slots, clock } = create()
  const giveBack = await slots.take(never)
  const late = slots.take(never)
  clock.advance(999)
  expect(slots.waiting).toBe(1)
  clock.advance(1)
  await expect(late).rejects.toMatchObject({ errorName: 'queue_timeout' })
  const next = slots.take(never)
  giveBack()
  await next
  expect(clock.pending()).toBe(0)
})

test('who leaves gives up its place with the reason it left for', async () => {
  const { slots, clock } = create()
  await slots.take(never)
  const leaving = new AbortController()
  const waiting = slots.take(leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(slots.take(leaving.signal)).rejects.toThrow('gone')
  expect(slots).toMatchObject({ running: 1, waiting: 0 })
  expect(clock.pending()).toBe(0)
})

test('a slot that is given back twice is one slot', async () => {
  const { slots } = create()
  const giveBack = await slots.take(never)
  giveBack()
  giveBack()
  expect(slots.running).toBe(0)
  await slots.take(never)
  void slots.take(never)
  expect(slots).toMatchObject({ running: 1, waiting: 1 })
})

type Step = { kind: 'take' } | { kind: 'give' | 'leave'; which: number } | { kind: 'time'; ms: number }
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'take' as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('give' as const, 'leave' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.nat({ max: 600 }) }) },
)
type Taker = { number: number; state: 'waiting' | 'running' | 'over'; leave: AbortController; giveBack(): void }

test('whatever happens, never more run than there are slots, first come first served, and everyone gets an end', async () => {
  const history = fc.asyncProperty(
    fc.integer({ min: 1, max: 3 }),
    fc.nat({ max: 4 }),
    fc.array(step, { maxLength: 40 }),
    async (count, queueLimit, steps) => {
      const { slots, clock } = create({ slots: count, queueLimit })
      const takers: Taker[] = []
      const settled: Promise<void>[] = []
      let lastServed = -1
      const begin = (): void => {
        const taker: Taker = { number: takers.length, state: 'waiting', leave: new AbortController(), giveBack() {} }
        takers.push(taker)
        const taken = slots.take(taker.leave.signal).then(
          (giveBack) => {
            expect(taker.number).toBeGreaterThan(lastServed)
            lastServed = taker.number
            Object.assign(taker, { state: 'running', giveBack })
          },
          (error) => {
            expect(['queue_full', 'queue_timeout', 'left']).toContain(nameOf(error))
            taker.state = 'over'
          },
        )
        settled.push(taken)
      }
      const pick = (state: Taker['state'], which: number): Taker | undefined => {
        const found = takers.filter((taker) => taker.state === state)
        return found[which % found.length]
      }
      const end = (taker: Taker | undefined): void => {
        if (taker === undefined) return
        taker.state = 'over'
        taker.giveBack()
      }
      for (const act of steps) {
        if (act.kind === 'take') begin()
        if (act.kind === 'give') end(pick('running', act.which))
        if (act.kind === 'leave') pick('waiting', act.which)?.leave.abort('left')
        if (act.kind === 'time') clock.advance(act.ms)
        // Lets the promises that have settled be heard.
        await new Promise((resolve) => setImmediate(resolve))
        const running = takers.filter(({ state }) => state === 'running').length
        expect(slots.running).toBe(running)
        expect(running).toBeLessThanOrEqual(count)
        expect(slots.waiting).toBeLessThanOrEqual(queueLimit)
        expect(slots.waiting === 0 || running === count).toBe(true)
      }
      clock.advance(1000)
      await Promise.all(settled)
      for (const taker of takers) if (taker.state === 'running') end(taker)
      expect(slots).toMatchObject({ running: 0, waiting: 0 })
      expect(clock.pending()).toBe(0)
    },
  )
  await fc.assert(history, { numRuns: 200 })
})
