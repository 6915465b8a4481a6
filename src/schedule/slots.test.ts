import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { createSlots, type Slot } from './slots.ts'

const never = new AbortController().signal
const create = (options: { slots?: number; queueLimit?: number; queueTimeoutMs?: number } = {}) => {
  const clock = createManualClock()
  return { clock, slots: createSlots({ slots: 1, queueLimit: 10, queueTimeoutMs: 1000, clock, ...options }) }
}
const nameOf = (error: unknown): unknown => (error instanceof Error && 'errorName' in error ? error.errorName : error)

test('requests of one organisation are served in the order of arrival', async () => {
  const { slots } = create()
  const slot = await slots.take('org', never)
  const served: number[] = []
  const waiting = [1, 2, 3].map(async (number) => {
    const done = await slots.take('org', never)
    served.push(number)
    done.release()
  })
  slot.release()
  await Promise.all(waiting)
  expect(served).toEqual([1, 2, 3])
  expect(slots).toMatchObject({ running: 0, waiting: 0 })
})

test('a full queue refuses at once', async () => {
  const { slots } = create({ queueLimit: 1 })
  await slots.take('org', never)
  void slots.take('org', never)
  await expect(slots.take('org', never)).rejects.toMatchObject({
    errorName: 'queue_full',
    options: { retryAfterMs: 2000 },
  })
})

test('a wait ends after its time, and its timer with it', async () => {
  const { slots, clock } = create()
  const slot = await slots.take('org', never)
  const late = slots.take('org', never)
  clock.advance(999)
  expect(slots.waiting).toBe(1)
  clock.advance(1)
  await expect(late).rejects.toMatchObject({ errorName: 'queue_timeout' })
  const next = slots.take('org', never)
  slot.release()
  await next
  expect(clock.pending()).toBe(0)
})

test('who leaves gives up its place with the reason it left for', async () => {
  const { slots, clock } = create()
  await slots.take('org', never)
  const leaving = new AbortController()
  const waiting = slots.take('org', leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(slots.take('org', leaving.signal)).rejects.toThrow('gone')
  expect(slots).toMatchObject({ running: 1, waiting: 0 })
  expect(clock.pending()).toBe(0)
})

test('a slot that is given back twice is one slot', async () => {
  const { slots } = create()
  const slot = await slots.take('org', never)
  slot.release()
  slot.release()
  expect(slots.running).toBe(0)
  await slots.take('org', never)
  void slots.take('org', never)
  expect(slots).toMatchObject({ running: 1, waiting: 1 })
})

test('a slot that is freed goes to an organisation that holds none, before those that came earlier', async () => {
  const { slots } = create({ slots: 2 })
  const [first, second] = await Promise.all([slots.take('greedy', never), slots.take('greedy', never)])
  const served: string[] = []
  const wait = async (organisationId: string, name: string): Promise<Slot> => {
    const slot = await slots.take(organisationId, never)
    served.push(name)
    return slot
  }
  const greedy3 = wait('greedy', 'greedy 3')
  const greedy4 = wait('greedy', 'greedy 4')
  const modest1 = wait('modest', 'modest 1')
  const modest2 = wait('modest', 'modest 2')
  first.release()
  const slot = await modest1
  // Now nobody waits who holds none: first come, first served.
  second.release()
  ;(await greedy3).release()
  ;(await greedy4).release()
  slot.release()
  await modest2
  expect(served).toEqual(['modest 1', 'greedy 3', 'greedy 4', 'modest 2'])
})

test('a request with several choices hands its slot to an organisation that holds none, and waits for another', async () => {
  const { slots, clock } = create({ slots: 1, queueLimit: 2 })
  const slot = await slots.take('greedy', never)
  expect(slot.yieldToOwed(never)).toBeNull()
  const sameOrganisation = slots.take('greedy', never)
  expect(slot.yieldToOwed(never)).toBeNull()
  const modest = slots.take('modest', never)
  const regained = slot.yieldToOwed(never)
  const served = await modest
  // It waits longer than others may.
  const early = expect(sameOrganisation).rejects.toMatchObject({ errorName: 'queue_timeout' })
  clock.advance(5000)
  await early
  served.release()
  await regained
  expect(slots).toMatchObject({ running: 1, waiting: 0 })
  slot.release()
  expect(slots.running).toBe(0)
})

test('a slot that is released while its request waits to regain it does not stay occupied', async () => {
  const { slots } = create({ slots: 1 })
  const slot = await slots.take('greedy', never)
  const modest = slots.take('modest', never)
  const leaving = new AbortController()
  const regained = slot.yieldToOwed(leaving.signal)
  const left = expect(regained).rejects.toBe('left')
  leaving.abort('left')
  slot.release()
  await left
  const other = await modest
  const owed = slots.take('third', never)
  const regainedLate = other.yieldToOwed(never)
  ;(await owed).release()
  other.release()
  await regainedLate
  expect(slots).toMatchObject({ running: 0, waiting: 0 })
})

type Step =
  | { kind: 'take' | 'tryTake'; organisationId: string }
  | { kind: 'release' | 'leave' | 'yield'; which: number }
  | { kind: 'time'; ms: number }
const organisationId = fc.constantFrom('a', 'b', 'c')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('take' as const), organisationId }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('tryTake' as const), organisationId }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('release' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('leave' as const, 'yield' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.nat({ max: 600 }) }) },
)
type Taker = {
  organisationId: string
  state: 'waiting' | 'running' | 'over'
  /** When it joined the queue. */
  place: number
  leave: AbortController
  slot: Slot | null
}

test('whatever happens, slots are never overfull, go to whom they are owed, and everyone gets an end', async () => {
  const history = fc.asyncProperty(
    fc.integer({ min: 1, max: 3 }),
    fc.nat({ max: 5 }),
    fc.array(step, { maxLength: 60 }),
    async (count, queueLimit, steps) => {
      const { slots, clock } = create({ slots: count, queueLimit })
      const takers: Taker[] = []
      const settled: Promise<void>[] = []
      let places = 0
      const inState = (state: Taker['state']): Taker[] => takers.filter((taker) => taker.state === state)
      const pick = (state: Taker['state'], which: number): Taker | undefined => {
        const found = inState(state)
        return found[which % found.length]
      }
      /** Whom the next free slot is owed, as the rule says it. */
      const owed = (): Taker | undefined => {
        const holds = (id: string): boolean => inState('running').some((taker) => taker.organisationId === id)
        const queue = inState('waiting').sort((one, other) => one.place - other.place)
        return queue.find((taker) => !holds(taker.organisationId)) ?? queue[0]
      }
      const run = (taker: Taker, slot: Slot | null): void => {
        taker.state = 'running'
        taker.slot ??= slot
      }
      const end = (taker: Taker, error: unknown): void => {
        expect(['queue_full', 'queue_timeout', 'left']).toContain(nameOf(error))
        taker.state = 'over'
        taker.slot?.release()
      }
      const join = (organisationId: string): Taker => {
        places += 1
        const taker: Taker = {
          organisationId,
          state: 'waiting',
          place: places,
          leave: new AbortController(),
          slot: null,
        }
        takers.push(taker)
        return taker
      }
      const expectHandedOn = async (free: () => void): Promise<void> => {
        const next = owed()
        free()
        await turn()
        if (next !== undefined) expect(next.state).toBe('running')
      }
      for (const act of steps) {
        if (act.kind === 'take') {
          const taker = join(act.organisationId)
          const taken = slots.take(act.organisationId, taker.leave.signal)
          settled.push(taken.then((slot) => run(taker, slot)).catch((error) => end(taker, error)))
        }
        if (act.kind === 'tryTake') {
          const wasFree = slots.running < count
          const slot = slots.tryTake(act.organisationId)
          expect(slot !== null).toBe(wasFree)
          if (slot !== null) run(join(act.organisationId), slot)
        }
        const running = act.kind === 'release' || act.kind === 'yield' ? pick('running', act.which) : undefined
        if (act.kind === 'release' && running !== undefined)
          await expectHandedOn(() => {
            running.state = 'over'
            running.slot?.release()
          })
        if (act.kind === 'yield' && running !== undefined) {
          const isOwed = inState('waiting').some(
            ({ organisationId }) => !inState('running').some((other) => other.organisationId === organisationId),
          )
          const regained = running.slot?.yieldToOwed(running.leave.signal) ?? null
          expect(regained !== null).toBe(isOwed)
          if (regained !== null) {
            const next = owed()
            places += 1
            Object.assign(running, { state: 'waiting', place: places })
            settled.push(regained.then(() => run(running, null)).catch((error) => end(running, error)))
            await turn()
            expect(next?.state).toBe('running')
          }
        }
        if (act.kind === 'leave') pick('waiting', act.which)?.leave.abort('left')
        if (act.kind === 'time') clock.advance(act.ms)
        await turn()
        expect(slots.running).toBe(inState('running').length)
        expect(slots.running).toBeLessThanOrEqual(count)
        expect(slots.waiting).toBe(inState('waiting').length)
        expect(slots.waiting === 0 || slots.running === count).toBe(true)
      }
      for (let left = inState('running'); left.length > 0; left = inState('running')) {
        for (const taker of left) {
          taker.state = 'over'
          taker.slot?.release()
        }
        await turn()
      }
      await Promise.all(settled)
      expect(slots).toMatchObject({ running: 0, waiting: 0 })
      expect(clock.pending()).toBe(0)
    },
  )
  await fc.assert(history, { numRuns: 300 })
})

/** Lets the promises that have settled be heard. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
