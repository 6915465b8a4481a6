import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { createPauseSwitch } from '../base/pause-switch.ts'
import { createRequestQueue, type RequestQueue, type RequestQueueOptions, type Slot } from './request-queue.ts'

const never = new AbortController().signal
const create = (options: Partial<RequestQueueOptions> = {}) => {
  const clock = createManualClock()
  const queue = createRequestQueue({
    slots: 1,
    reservedSlots: 0,
    queueLimit: 10,
    organisationQueueLimit: null,
    queueTimeoutMs: 1000,
    organisationWeights: [],
    clock,
    ...options,
  })
  /** An organisation without an owner is its own, unless one is named. */
  const enter = (organisationId: string, signal = never, ownerId = organisationId): Promise<Slot> =>
    queue.enter({ organisationId, ownerId, size: { promptTokens: 10, completionTokens: 10, choices: 1 } }, signal)
  return { clock, queue, enter }
}
const countsOf = ({ running, waiting }: RequestQueue) => ({ running, waiting })
const nameOf = (error: unknown): unknown => (error instanceof Error && 'errorName' in error ? error.errorName : error)

test('requests of one organisation are served in the order of arrival', async () => {
  const { queue, enter } = create()
  const slot = await enter('org')
  const served: number[] = []
  const waiting = [1, 2, 3].map(async (number) => {
    const next = await enter('org')
    served.push(number)
    next.release()
  })
  slot.release()
  await Promise.all(waiting)
  expect(served).toEqual([1, 2, 3])
  expect(countsOf(queue)).toEqual({ running: 0, waiting: 0 })
})

test('a full queue refuses at once', async () => {
  const { enter } = create({ queueLimit: 1 })
  await enter('org')
  void enter('org')
  await expect(enter('org')).rejects.toMatchObject({ errorName: 'queue_full', options: { retryAfterMs: 2000 } })
})

test('a wait ends after its time, and its timer with it', async () => {
  const { queue, enter, clock } = create()
  const slot = await enter('org')
  const late = enter('org')
  clock.advance(999)
  expect(queue.waiting).toBe(1)
  clock.advance(1)
  await expect(late).rejects.toMatchObject({ errorName: 'queue_timeout' })
  const next = enter('org')
  slot.release()
  await next
  expect(clock.pending()).toBe(0)
})

test('a request that is aborted leaves the queue with the reason of its signal', async () => {
  const { queue, enter, clock } = create()
  await enter('org')
  const leaving = new AbortController()
  const waiting = enter('org', leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(enter('org', leaving.signal)).rejects.toThrow('gone')
  expect(countsOf(queue)).toEqual({ running: 1, waiting: 0 })
  expect(clock.pending()).toBe(0)
})

test('a slot that is released twice is one slot', async () => {
  const { queue, enter } = create()
  const slot = await enter('org')
  slot.release()
  slot.release()
  expect(queue.running).toBe(0)
  await enter('org')
  void enter('org')
  expect(countsOf(queue)).toEqual({ running: 1, waiting: 1 })
})

test('the next slot goes to the organisation that has used the least for its weight', async () => {
  const { enter } = create({ organisationWeights: ['org_a=100'] })
  const slot = await enter('org_b')
  slot.used({ promptTokens: 10, cachedTokens: 0, completionTokens: 100 })
  const served: string[] = []
  const wait = async (organisationId: string): Promise<void> => {
    const next = await enter(organisationId)
    served.push(organisationId)
    next.release()
  }
  const all = ['org_b', 'org_a', 'org_a', 'org_a'].map(wait)
  slot.release()
  await Promise.all(all)
  expect(served).toEqual(['org_a', 'org_a', 'org_a', 'org_b'])
})

test('a weight is that of the organisation: requests of another one of the same owner count in full', async () => {
  const { enter } = create({ organisationWeights: ['org_a=100'] })
  const slot = await enter('org_c', never, 'usr_c')
  const served: string[] = []
  const wait = async (organisationId: string, ownerId: string): Promise<void> => {
    const next = await enter(organisationId, never, ownerId)
    served.push(organisationId)
    next.used({ promptTokens: 10, cachedTokens: 0, completionTokens: 10 })
    next.release()
  }
  const all = ['org_a', 'org_a', 'org_b', 'org_b'].map((id) => wait(id, 'usr_a'))
  const others = ['org_d', 'org_d', 'org_d'].map((id) => wait(id, 'usr_d'))
  slot.release()
  await Promise.all([...all, ...others])
  expect(served).toEqual(['org_a', 'org_d', 'org_a', 'org_b', 'org_d', 'org_b', 'org_d'])
})

test('the organisations of one owner share what one may have', async () => {
  const { queue, enter } = create({ slots: 3, reservedSlots: 1, organisationQueueLimit: 1 })
  await enter('org_a', never, 'usr')
  await enter('org_b', never, 'usr')
  void enter('org_c', never, 'usr').catch(() => {})
  await expect(enter('org_d', never, 'usr')).rejects.toMatchObject({ errorName: 'queue_full' })
  expect(countsOf(queue)).toEqual({ running: 2, waiting: 1 })
  await enter('org_e', never, 'other')
  expect(countsOf(queue)).toEqual({ running: 3, waiting: 1 })
})

test('a queue that gets fewer slots keeps the last for another owner, and a single slot for anybody', async () => {
  const { queue, enter } = create({ slots: 1, reservedSlots: 1 })
  const first = await enter('org')
  void enter('org')
  queue.resize(2)
  expect(countsOf(queue)).toEqual({ running: 1, waiting: 1 })
  const other = await enter('other')
  queue.resize(1)
  other.release()
  expect(countsOf(queue)).toEqual({ running: 1, waiting: 1 })
  first.release()
  expect(countsOf(queue)).toEqual({ running: 1, waiting: 0 })
})

test('a request with several choices gets further slots while nobody waits', async () => {
  const { queue, enter } = create({ slots: 2 })
  const slot = await enter('org')
  const releaseExtra = slot.tryExtra()
  expect(slot.tryExtra()).toBeNull()
  const waiting = enter('org')
  releaseExtra?.()
  releaseExtra?.()
  const other = await waiting
  void enter('org')
  slot.release()
  other.release()
  expect(countsOf(queue)).toEqual({ running: 1, waiting: 0 })
})

test('between its choices a request yields to an organisation that has used less, and waits without a time limit', async () => {
  const { queue, enter, clock } = create({ queueLimit: 2 })
  const slot = await enter('greedy')
  expect(slot.yield(never)).toBeNull()
  const sameOrganisation = enter('greedy')
  expect(slot.yield(never)).toBeNull()
  const modest = enter('modest')
  const regained = slot.yield(never)
  const served = await modest
  const late = expect(sameOrganisation).rejects.toMatchObject({ errorName: 'queue_timeout' })
  clock.advance(5000)
  await late
  served.release()
  await regained
  expect(countsOf(queue)).toEqual({ running: 1, waiting: 0 })
  slot.release()
  expect(queue.running).toBe(0)
})

test('a slot that is released while its request waits to regain it does not stay occupied', async () => {
  const { queue, enter } = create()
  const slot = await enter('greedy')
  const modest = enter('modest')
  const leaving = new AbortController()
  const left = expect(slot.yield(leaving.signal)).rejects.toBe('left')
  leaving.abort('left')
  slot.release()
  await left
  const other = await modest
  const third = enter('third')
  const regainedLate = other.yield(never)
  ;(await third).release()
  other.release()
  await regainedLate
  expect(countsOf(queue)).toEqual({ running: 0, waiting: 0 })
  expect(queue.remembered).toEqual({ requests: 0, owners: 0 })
})

type Step =
  | { type: 'enter'; organisationId: string }
  | { type: 'release' | 'abort' | 'yield' | 'extra'; which: number }
  | { type: 'time'; ms: number }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('enter' as const),
      organisationId: fc.constantFrom('org_a', 'org_b', 'org_c'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom('release' as const, 'abort' as const, 'yield' as const, 'extra' as const),
      which: fc.nat(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('time' as const), ms: fc.nat({ max: 600 }) }) },
)
type Entered = {
  state: 'waiting' | 'running' | 'ended'
  leaving: AbortController
  slot: Slot | null
  extras: (() => void)[]
}

test('whatever happens, every request gets an end, and nothing is left behind', async () => {
  const history = fc.asyncProperty(
    fc.integer({ min: 1, max: 5 }),
    fc.nat({ max: 5 }),
    fc.array(step, { maxLength: 60 }),
    async (slots, queueLimit, steps) => {
      const { queue, enter, clock } = create({ slots, queueLimit })
      const all: Entered[] = []
      const settled: Promise<void>[] = []
      const inState = (state: Entered['state']): Entered[] => all.filter((one) => one.state === state)
      const run = (one: Entered, slot: Slot | null): void => {
        one.state = 'running'
        one.slot ??= slot
      }
      const end = (one: Entered): void => {
        one.state = 'ended'
        one.slot?.release()
        for (const release of one.extras) release()
      }
      const fail = (one: Entered, error: unknown): void => {
        expect(['queue_full', 'queue_timeout', 'left']).toContain(nameOf(error))
        end(one)
      }
      const act = (taken: Step): void => {
        if (taken.type === 'time') {
          clock.advance(taken.ms)
          return
        }
        if (taken.type === 'enter') {
          const one: Entered = { state: 'waiting', leaving: new AbortController(), slot: null, extras: [] }
          all.push(one)
          const entering = enter(taken.organisationId, one.leaving.signal)
          settled.push(entering.then((slot) => run(one, slot)).catch((error) => fail(one, error)))
          return
        }
        const found = inState(taken.type === 'abort' ? 'waiting' : 'running')
        const one = found[taken.which % found.length]
        if (taken.type === 'abort') one?.leaving.abort('left')
        if (one?.slot == null) return
        if (taken.type === 'release') end(one)
        if (taken.type === 'extra') one.extras.push(one.slot.tryExtra() ?? (() => {}))
        if (taken.type !== 'yield') return
        const regained = one.slot.yield(one.leaving.signal)
        if (regained === null) return
        one.state = 'waiting'
        settled.push(regained.then(() => run(one, null)).catch((error) => fail(one, error)))
      }
      for (const taken of steps) {
        act(taken)
        await turn()
        expect(queue.running).toBeLessThanOrEqual(slots)
        expect(queue.waiting).toBe(inState('waiting').length)
      }
      for (let left = inState('running'); left.length > 0; left = inState('running')) {
        left.forEach(end)
        await turn()
      }
      await Promise.all(settled)
      expect(countsOf(queue)).toEqual({ running: 0, waiting: 0 })
      expect(queue.remembered).toEqual({ requests: 0, owners: 0 })
      expect(clock.pending()).toBe(0)
    },
  )
  await fc.assert(history, { numRuns: 150 })
})

/** Lets the promises that have settled be heard. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a queue that gets more slots starts waiting requests, and one that gets fewer ends none', async () => {
  const { queue, enter } = create({ slots: 1 })
  const first = await enter('org')
  const second = enter('org')
  expect(queue).toMatchObject({ running: 1, waiting: 1 })
  queue.resize(2)
  const slot = await second
  expect(queue).toMatchObject({ running: 2, waiting: 0 })
  queue.resize(1)
  expect(queue.running).toBe(2)
  const third = enter('org')
  first.release()
  expect(queue).toMatchObject({ running: 1, waiting: 1 })
  slot.release()
  await third
  expect(queue.running).toBe(1)
})

const size = { promptTokens: 0, completionTokens: 1000, choices: 1 }

test('an answer is paused when its turn is over and another owner waits, and its pauses are counted', async () => {
  const { queue, enter, clock } = create()
  const pausing = createPauseSwitch()
  const slot = await queue.enter({ organisationId: 'one', ownerId: 'one', size, pausing }, never)
  const other = enter('other')
  slot.used({ promptTokens: 0, cachedTokens: 0, completionTokens: 31 })
  expect([pausing.isPaused, queue.waiting]).toEqual([false, 1])
  slot.used({ promptTokens: 0, cachedTokens: 0, completionTokens: 32 })
  expect(pausing.isPaused).toBe(true)
  const others = await other
  clock.advance(500)
  expect(slot.pauses()).toEqual({ count: 1, ms: 500 })
  others.release()
  clock.advance(500)
  expect([pausing.isPaused, slot.pauses()]).toEqual([false, { count: 1, ms: 500 }])
  slot.release()
  expect([queue.remembered.requests, clock.pending()]).toEqual([0, 0])
})

test('a turn without tokens ends by a timer, and a paused answer that is released waits for nothing', async () => {
  const { queue, enter, clock } = create({ queueTimeoutMs: 60_000 })
  const pausing = createPauseSwitch()
  const slot = await queue.enter({ organisationId: 'one', ownerId: 'one', size, pausing }, never)
  expect(clock.pending()).toBe(0)
  const other = enter('other')
  clock.advance(1999)
  expect(pausing.isPaused).toBe(false)
  clock.advance(1)
  expect(pausing.isPaused).toBe(true)
  slot.release()
  expect(countsOf(queue)).toEqual({ running: 1, waiting: 0 })
  ;(await other).release()
  expect([queue.remembered.requests, clock.pending()]).toEqual([0, 0])
})

test('an answer that nobody reads gives up its slots until it is read, which is no pause for others', async () => {
  const { queue, enter, clock } = create({ slots: 2 })
  const [own, extra] = [createPauseSwitch(), createPauseSwitch()]
  const slot = await queue.enter({ organisationId: 'one', ownerId: 'one', size, pausing: own }, never)
  const releaseExtra = slot.tryExtra(extra)
  slot.suspend()
  expect([own.isPaused, extra.isPaused, queue.running]).toEqual([true, true, 0])
  const others = [await enter('other'), await enter('third')]
  clock.advance(100)
  slot.resume()
  expect([own.isPaused, slot.pauses()]).toEqual([true, { count: 1, ms: 0 }])
  clock.advance(100)
  others[0]?.release()
  expect([own.isPaused, extra.isPaused, slot.pauses()]).toEqual([false, true, { count: 1, ms: 100 }])
  others[1]?.release()
  expect(extra.isPaused).toBe(false)
  slot.suspend()
  slot.release()
  releaseExtra?.()
  expect([queue.running, queue.remembered.requests, clock.pending()]).toEqual([0, 0, 0])
})
