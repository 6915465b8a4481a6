import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gridRuns } from '../../test/harness/grid.ts'
import type { Decision } from './scheduled-request.ts'
import { SlotScheduler, type SlotSchedulerOptions } from './slot-scheduler.ts'
import { tokenCost } from './token-cost.ts'
import { maxPauseMs, turnCost, turnMs } from './turn.ts'

const limits = { queueLimit: 1000, organisationQueueLimit: 1000, queueTimeoutMs: 1_000_000 }
const create = (options: Partial<SlotSchedulerOptions> = {}) => {
  const scheduler = new SlotScheduler({ slots: 4, reservedSlots: 0, ...limits, ...options })
  const tokens = new Map<number, number>()
  let lastId = 0
  let nowMs = 0
  return {
    scheduler,
    now: () => nowMs,
    arrive(ownerId: string, { canPause = true, weight = 1, choices = 1 } = {}) {
      lastId += 1
      const size = { promptTokens: 0, completionTokens: 1000, choices }
      return { id: lastId, decisions: scheduler.arrive({ id: lastId, ownerId, weight, size, canPause }, nowMs) }
    },
    /** It generates so many more tokens. */
    say(id: number, more: number): Decision[] {
      const completionTokens = (tokens.get(id) ?? 0) + more
      tokens.set(id, completionTokens)
      return scheduler.used(id, { promptTokens: 0, cachedTokens: 0, completionTokens }, nowMs)
    },
    pass(ms: number): Decision[] {
      nowMs += ms
      return scheduler.tick(nowMs)
    },
    release: (id: number) => scheduler.release(id, nowMs),
  }
}
const turn = turnCost / tokenCost({ promptTokens: 0, cachedTokens: 0, completionTokens: 1 })
const pause = (id: number): Decision => ({ type: 'pause', id })
const start = (id: number): Decision => ({ type: 'start', id })

test('of two owners with all slots, the one with more gives one to a third as soon as a turn is over', () => {
  const { arrive, say } = create()
  const [one, two, three] = ['a', 'a', 'a'].map((owner) => arrive(owner).id)
  const other = arrive('b').id
  for (const id of [one, two, three, other]) say(id ?? 0, 5)
  const newcomer = arrive('c')
  expect(newcomer.decisions).toEqual([])
  expect(say(other, turn)).toEqual([])
  expect(say(two ?? 0, turn - 6)).toEqual([])
  expect(say(two ?? 0, 1)).toEqual([pause(two ?? 0), start(newcomer.id)])
})

test('an answer whose turn is over makes room at once; one that is alone is never paused', () => {
  const { arrive, say, pass } = create({ slots: 1 })
  const { id } = arrive('a')
  expect(say(id, 50 * turn)).toEqual([])
  expect(pass(10 * turnMs)).toEqual([])
  expect(arrive('a').decisions).toEqual([])
  expect(say(id, 50 * turn)).toEqual([])
  const other = arrive('b')
  expect(other.decisions).toEqual([pause(id), start(other.id)])
})

test('a turn ends after its time, too, for example while a long prompt is read', () => {
  const { scheduler, arrive, pass } = create({ slots: 1 })
  const { id } = arrive('a')
  expect(scheduler.nextTickMs(0)).toBeNull()
  const other = arrive('b')
  expect(scheduler.nextTickMs(0)).toBe(turnMs)
  expect(pass(turnMs - 1)).toEqual([])
  expect(pass(1)).toEqual([pause(id), start(other.id)])
})

test('an answer that cannot be paused keeps its slot', () => {
  const { scheduler, arrive, say, pass } = create({ slots: 1 })
  const { id } = arrive('a', { canPause: false })
  expect(arrive('b').decisions).toEqual([])
  expect([say(id, 100 * turn), pass(100 * turnMs), scheduler.nextTickMs(0)]).toEqual([[], [], null])
})

test('a turn is longer with a higher weight, within a bound', () => {
  for (const [weight, length] of [
    [1, 1],
    [2, 2],
    [1000, 4],
    [0.001, 1 / 4],
  ] as const) {
    const { arrive, say } = create({ slots: 1 })
    const { id } = arrive('a', { weight })
    arrive('b')
    expect(say(id, length * turn - 1)).toEqual([])
    expect(say(id, 1)).toHaveLength(2)
  }
})

test('owners that both wait have as many slots, and none is exchanged without need', () => {
  const { arrive, say } = create({ slots: 4, reservedSlots: 1 })
  const running = new Set<number>()
  let exchanges = 0
  const carryOut = (decisions: readonly Decision[]): void => {
    for (const { type, id } of decisions) {
      if (type === 'start') running.add(id)
      else running.delete(id)
      if (type === 'pause') exchanges += 1
    }
  }
  const owners = new Map<number, string>()
  for (const owner of ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'b']) {
    const { id, decisions } = arrive(owner)
    owners.set(id, owner)
    carryOut(decisions)
  }
  for (let token = 0; token < 20 * turn; token += 1) for (const id of [...running]) carryOut(say(id, 1))
  expect([...running].map((id) => owners.get(id)).sort()).toEqual(['a', 'a', 'b', 'b'])
  expect(exchanges).toBe(1)
})

test('an answer that was paused for long takes the place of another of its owner', () => {
  const { arrive, say, pass, release } = create({ slots: 2 })
  const [one, two] = [arrive('a').id, arrive('a').id]
  say(one, turn)
  say(two, turn)
  const other = arrive('b')
  expect(other.decisions).toEqual([pause(one), start(other.id)])
  pass(maxPauseMs - 1)
  expect(say(two, turn)).toEqual([])
  expect(pass(1)).toEqual([pause(two), start(one)])
  expect(release(other.id)).toEqual([start(two)])
})

test('several choices of one request give up one slot after the other, and get them back', () => {
  const { scheduler, arrive, say, release } = create({ slots: 3 })
  const { id } = arrive('a', { choices: 3 })
  expect([scheduler.extend(id, 0), scheduler.extend(id, 0)]).toEqual([true, true])
  say(id, 3 * turn)
  const [b, c] = [arrive('b'), arrive('c')]
  expect([b.decisions, c.decisions]).toEqual([
    [pause(id), start(b.id)],
    [pause(id), start(c.id)],
  ])
  expect([scheduler.running, scheduler.waiting]).toEqual([3, 2])
  expect([release(b.id), release(c.id)]).toEqual([[start(id)], [start(id)]])
  for (let slot = 0; slot < 3; slot += 1) expect(release(id)).toEqual([])
  expect(scheduler.remembered).toEqual({ requests: 0, owners: 0 })
})

test('an answer that nobody reads gives up its slots, and waits for them when it is read again', () => {
  const { scheduler, arrive, release, now } = create({ slots: 1 })
  const { id } = arrive('a')
  const other = arrive('b')
  expect(scheduler.suspend(id, now())).toEqual([start(other.id)])
  expect([scheduler.running, scheduler.waiting]).toEqual([1, 0])
  expect(scheduler.resume(id, now())).toEqual([])
  expect(release(other.id)).toEqual([start(id)])
  expect(scheduler.suspend(id, now())).toEqual([])
  expect(release(id)).toEqual([])
  expect(scheduler.remembered).toEqual({ requests: 0, owners: 0 })
})

test('where answers cannot be paused, an owner that has its share gets no further slot while others wait', () => {
  const { arrive, say, release } = create({ slots: 4, keepsShares: true })
  const held = ['a', 'a', 'a', 'b'].map((owner) => arrive(owner, { canPause: false }).id)
  const [ofA, ofB] = [arrive('a', { canPause: false }), arrive('b', { canPause: false })]
  // By its counter the first one would be next.
  say(held[3] ?? 0, 100_000)
  expect(release(held[0] ?? 0)).toEqual([start(ofB.id)])
  expect(release(held[3] ?? 0)).toEqual([start(ofA.id)])
})

/** Answers of several owners that arrive at any time, on an engine that gives each running one a token in every step. */
const histories = fc.record({
  slots: fc.integer({ min: 1, max: 5 }),
  reservedSlots: fc.nat({ max: 2 }),
  arrivals: fc.array(
    fc.record({
      step: fc.nat({ max: 400 }),
      owner: fc.nat({ max: 5 }),
      tokens: fc.integer({ min: 1, max: 300 }),
    }),
    { minLength: 1, maxLength: 25 },
  ),
})

const stepMs = 20
type SimulatedAnswer = {
  owner: string
  left: number
  said: number
  arrived: number
  /** Its owner had nothing else when it arrived, and since then there was a slot for every owner. */
  isNewcomer: boolean
  pausedAt: number | null
  state: 'new' | 'running' | 'paused' | 'ended'
}

test('with any arrivals nobody starves or is paused without need, a newcomer waits for a turn at most, and no token is lost', () => {
  const property = fc.property(histories, ({ slots, reservedSlots, arrivals }) => {
    const scheduler = new SlotScheduler({ slots, reservedSlots, ...limits })
    const answers = new Map<number, SimulatedAnswer>()
    const owners = new Set(arrivals.map(({ owner }) => owner)).size
    const working = (): SimulatedAnswer[] => [...answers.values()].filter(({ state }) => state !== 'ended')
    let step = 0
    let generated = 0
    const carryOut = (decisions: readonly Decision[]): void => {
      for (const { type, id } of decisions) {
        const answer = answers.get(id)
        if (answer === undefined) throw new Error('unknown')
        if (type === 'start') {
          if (answer.state === 'new' && answer.isNewcomer) expect(step - answer.arrived).toBeLessThanOrEqual(turn + 1)
          const longest = maxPauseMs / stepMs + (turn + 1) * (owners + 1) * 2
          if (answer.pausedAt !== null) expect(step - answer.pausedAt).toBeLessThanOrEqual(longest)
          Object.assign(answer, { state: 'running', pausedAt: null })
        } else {
          expect(answer.state).toBe('running')
          // Somebody else waits for the slot.
          expect(working().some(({ state }) => state === 'new' || state === 'paused')).toBe(true)
          Object.assign(answer, { state: 'paused', pausedAt: step })
        }
      }
    }
    for (; step <= 400 || working().length > 0; step += 1) {
      expect(step).toBeLessThan(100_000)
      for (const [index, { step: at, owner, tokens }] of arrivals.entries()) {
        if (at !== step) continue
        const arrival = { id: index, ownerId: String(owner), weight: 1, canPause: true }
        const isNewcomer = !working().some((one) => one.owner === String(owner))
        answers.set(index, {
          ...{ owner: String(owner), left: tokens, said: 0, arrived: step, isNewcomer },
          ...{ pausedAt: null, state: 'new' },
        })
        if (new Set(working().map((one) => one.owner)).size > slots)
          for (const one of working()) if (one.state === 'new') one.isNewcomer = false
        const size = { promptTokens: 0, completionTokens: 300, choices: 1 }
        carryOut(scheduler.arrive({ ...arrival, size }, step * stepMs))
      }
      carryOut(scheduler.tick(step * stepMs))
      for (const [id, answer] of answers) {
        if (answer.state !== 'running') continue
        answer.left -= 1
        answer.said += 1
        generated += 1
        const counts = { promptTokens: 0, cachedTokens: 0, completionTokens: answer.said }
        carryOut(scheduler.used(id, counts, step * stepMs))
        if (answer.left > 0) continue
        const wasRunning = answers.get(id)?.state === 'running'
        answer.state = 'ended'
        carryOut(wasRunning ? scheduler.release(id, step * stepMs) : scheduler.leave(id, step * stepMs))
      }
      // Nothing waits beside a free slot that it may have.
      const running = working().filter(({ state }) => state === 'running')
      const kept = Math.min(reservedSlots, slots - 1)
      if (working().length > running.length) expect(running.length).toBeGreaterThanOrEqual(slots - kept)
      expect(scheduler.running).toBe(running.length)
    }
    expect(generated).toBe(arrivals.reduce((sum, { tokens }) => sum + tokens, 0))
    expect(scheduler.remembered).toEqual({ requests: 0, owners: 0 })
  })
  fc.assert(property, { numRuns: gridRuns(300) })
})
