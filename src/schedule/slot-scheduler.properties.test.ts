import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Decision } from './scheduled-request.ts'
import { SlotScheduler } from './slot-scheduler.ts'
import { tokenCost } from './token-cost.ts'

type Event =
  | { type: 'arrive'; ownerId: string; promptTokens: number; completionTokens: number; choices: number }
  | { type: 'use'; which: number; tokens: number }
  | { type: 'release' | 'leave' | 'yield' | 'extend' | 'expire'; which: number }
  | { type: 'time'; ms: number }

const owners = ['a', 'b', 'c', 'd']
const weightOf = (ownerId: string): number => (ownerId === 'a' ? 3 : 1)
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('arrive' as const),
      ownerId: fc.constantFrom(...owners),
      promptTokens: fc.nat({ max: 500 }),
      completionTokens: fc.nat({ max: 500 }),
      choices: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('use' as const),
      which: fc.nat(),
      tokens: fc.nat({ max: 500 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('release' as const), which: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('leave' as const, 'yield' as const, 'extend' as const, 'expire' as const),
      which: fc.nat(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('time' as const), ms: fc.nat({ max: 400 }) }) },
)
type Known = {
  ownerId: string
  promptTokens: number
  completionTokens: number
  slots: number
  isWaiting: boolean
  hasStarted: boolean
}

test('whatever happens, slots are used and never overused, the queue stays within its bounds, and nothing is left behind', () => {
  const settings = fc.record({
    slots: fc.integer({ min: 1, max: 5 }),
    reservedSlots: fc.nat({ max: 2 }),
    queueLimit: fc.nat({ max: 6 }),
    organisationQueueLimit: fc.nat({ max: 6 }),
    queueTimeoutMs: fc.integer({ min: 1, max: 1000 }),
  })
  const history = fc.property(settings, fc.array(event, { maxLength: 120 }), (options, events) => {
    const scheduler = new SlotScheduler(options)
    const known = new Map<number, Known>()
    const seen = new Set<string>()
    let lastId = 0
    let nowMs = 0
    const carryOut = (decisions: readonly Decision[]): void => {
      for (const { type, id } of decisions) {
        const request = known.get(id)
        if (request === undefined || !request.isWaiting) throw new Error(`${type} of a request that does not wait`)
        request.isWaiting = false
        if (type === 'start') {
          request.slots += 1
          request.hasStarted = true
        } else {
          expect(request.hasStarted).toBe(false)
          known.delete(id)
        }
      }
    }
    const pick = (which: number, filter: (request: Known) => boolean): [number, Known] | null => {
      const found = [...known].filter(([, request]) => filter(request))
      return found[which % found.length] ?? null
    }
    const dropIfDone = (id: number, { slots, isWaiting }: Known): void => {
      if (slots === 0 && !isWaiting) known.delete(id)
    }
    const act = (step: Event): void => {
      if (step.type === 'time') {
        nowMs += step.ms
        return
      }
      if (step.type === 'arrive') {
        const { type: _, ownerId, ...size } = step
        lastId += 1
        seen.add(ownerId)
        const state = { slots: 0, isWaiting: true, hasStarted: false }
        known.set(lastId, { ownerId, ...size, ...state })
        carryOut(scheduler.arrive({ id: lastId, ownerId, weight: weightOf(ownerId), size }, nowMs))
        return
      }
      const wantsWaiting = step.type === 'leave' || step.type === 'expire'
      const picked = pick(step.which, ({ slots, isWaiting }) =>
        wantsWaiting ? isWaiting : slots > 0 && (step.type !== 'yield' || !isWaiting),
      )
      if (picked === null) return
      const [id, request] = picked
      if (step.type === 'use') {
        const { promptTokens } = request
        scheduler.used(id, { promptTokens, cachedTokens: 0, completionTokens: step.tokens }, nowMs)
      }
      if (step.type === 'release') {
        request.slots -= 1
        dropIfDone(id, request)
        carryOut(scheduler.release(id, nowMs))
      }
      if (step.type === 'leave') {
        request.isWaiting = false
        dropIfDone(id, request)
        carryOut(scheduler.leave(id, nowMs))
      }
      if (step.type === 'expire') {
        carryOut(scheduler.expire(id, nowMs))
        expect(known.has(id)).toBe(request.hasStarted)
      }
      if (step.type === 'extend') {
        const hadWaiting = scheduler.waiting > 0
        const isExtended = scheduler.extend(id, nowMs)
        if (isExtended) request.slots += 1
        expect(isExtended && hadWaiting).toBe(false)
      }
      if (step.type === 'yield') {
        const decisions = scheduler.yield(id, nowMs)
        if (decisions.length === 0) return
        expect(decisions[0]?.id).not.toBe(id)
        request.slots -= 1
        request.isWaiting = true
        carryOut(decisions)
      }
    }
    for (const step of events) {
      act(step)
      const requests = [...known.values()]
      const waiting = requests.filter(({ isWaiting }) => isWaiting)
      const limited = waiting.filter(({ hasStarted }) => !hasStarted)
      expect(scheduler.running).toBe(requests.reduce((sum, { slots }) => sum + slots, 0))
      expect(scheduler.waiting).toBe(waiting.length)
      expect(scheduler.remembered.requests).toBe(requests.length)
      expect(scheduler.remembered.owners).toBeLessThanOrEqual(seen.size)
      expect(scheduler.running).toBeLessThanOrEqual(options.slots)
      // Nobody waits while a slot is free that may be used: an owner with a slot may not use those that are kept.
      const kept = Math.min(options.reservedSlots, options.slots - 1)
      const slotsOf = (id: string): number =>
        requests.reduce((sum, { ownerId, slots }) => (ownerId === id ? sum + slots : sum), 0)
      for (const { ownerId } of waiting)
        expect(scheduler.running).toBeGreaterThanOrEqual(options.slots - (slotsOf(ownerId) > 0 ? kept : 0))
      for (const id of owners) expect(slotsOf(id)).toBeLessThanOrEqual(options.slots - kept)
      expect(limited.length).toBeLessThanOrEqual(options.queueLimit)
      for (const id of owners)
        expect(limited.filter(({ ownerId }) => ownerId === id).length).toBeLessThanOrEqual(
          options.organisationQueueLimit,
        )
    }
    for (let rounds = 0; known.size > 0 && rounds < 1000; rounds += 1) act({ type: 'release', which: 0 })
    expect([scheduler.running, scheduler.waiting]).toEqual([0, 0])
    expect(scheduler.remembered).toEqual({ requests: 0, owners: 0 })
    expect(owners.map((id) => scheduler.counterOf(id))).toEqual([0, 0, 0, 0])
  })
  fc.assert(history, { numRuns: 150 })
})

/** Keeps every owner supplied with waiting requests and ends running ones in any order. */
const flood = (options: {
  weights: readonly number[]
  slots: number
  sizes: readonly (readonly [promptTokens: number, maxTokens: number, tokens: number])[]
  ends: readonly number[]
}) => {
  const { weights, sizes } = options
  const scheduler = new SlotScheduler({
    ...options,
    reservedSlots: 0,
    queueLimit: 1000,
    organisationQueueLimit: 1000,
    queueTimeoutMs: 1_000_000,
  })
  const served = weights.map(() => 0)
  const running: number[] = []
  const requests = new Map<number, { owner: number; promptTokens: number; tokens: number }>()
  /** The owner of each start. */
  const starts: number[] = []
  let lastId = 0
  const take = (decisions: readonly Decision[]): void => {
    for (const { id } of decisions) {
      running.push(id)
      const owner = requests.get(id)?.owner ?? 0
      starts.push(owner)
      send(owner)
    }
  }
  const send = (owner: number): void => {
    lastId += 1
    const [promptTokens, maxTokens, tokens] = sizes[lastId % sizes.length] ?? [1, 1, 1]
    requests.set(lastId, { owner, promptTokens, tokens: Math.min(tokens, maxTokens) })
    const size = { promptTokens, completionTokens: maxTokens, choices: 1 }
    const weight = weights[owner] ?? 1
    take(scheduler.arrive({ id: lastId, ownerId: String(owner), weight, size }, 0))
  }
  return {
    served,
    starts,
    /** Two requests of each owner wait at any time from here on. */
    begin(): void {
      for (const owner of weights.keys()) send(owner)
      for (const owner of weights.keys()) send(owner)
    },
    end(which: number): void {
      const [id = 0] = running.splice(which % running.length, 1)
      const { owner, promptTokens, tokens } = requests.get(id) ?? { owner: 0, promptTokens: 0, tokens: 0 }
      const counts = { promptTokens, cachedTokens: 0, completionTokens: tokens }
      scheduler.used(id, counts, 0)
      served[owner] = (served[owner] ?? 0) + tokenCost(counts)
      take(scheduler.release(id, 0))
    },
  }
}
const floods = fc.record({
  weights: fc.array(fc.constantFrom(0.5, 1, 2, 5), { minLength: 2, maxLength: 4 }),
  slots: fc.integer({ min: 1, max: 5 }),
  sizes: fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 400 }), fc.nat({ max: 400 })), {
    minLength: 1,
    maxLength: 10,
  }),
  ends: fc.array(fc.nat(), { minLength: 50, maxLength: 300 }),
})
const maxCost = tokenCost({ promptTokens: 400, cachedTokens: 0, completionTokens: 400 })

test('owners that always have requests waiting are served in proportion to their weights, within a bound', () => {
  const property = fc.property(floods, (options) => {
    const { weights, slots } = options
    const { served, begin, end } = flood(options)
    begin()
    // How far apart the two were, as a share of what a request that has begun, which is not interrupted, allows for:
    // one on each slot, and the next one.
    let furthest = 0
    for (const which of options.ends) {
      end(which)
      for (const [one, oneWeight] of weights.entries())
        for (const [other, otherWeight] of weights.entries()) {
          const difference = (served[one] ?? 0) / oneWeight - (served[other] ?? 0) / otherWeight
          const allowed = (slots + 1) * maxCost * (1 / oneWeight + 1 / otherWeight)
          furthest = Math.max(furthest, difference / allowed)
        }
    }
    expect(furthest).toBeLessThanOrEqual(1)
  })
  fc.assert(property, { numRuns: 100 })
})

test('whatever the others send, an owner that has waited gets its turn within a bounded number of starts', () => {
  const property = fc.property(floods, (options) => {
    const { weights, sizes, slots } = options
    const { starts, begin, end } = flood(options)
    begin()
    for (const which of options.ends) end(which)
    const leastCost = Math.min(...sizes.map(([prompt, max, tokens]) => prompt + 4 * Math.min(max, tokens)))
    const largest = Math.max(...sizes.map(([prompt, max]) => prompt + 4 * max))
    const ahead = (slots + 2) * 2 * (largest / Math.min(...weights)) * weights.reduce((sum, weight) => sum + weight, 0)
    // From one start of an owner to its next one: which of its own requests that is, the next property says.
    const waits = [...weights.keys()].flatMap((owner) => {
      const turns = [-1, ...starts.flatMap((each, index) => (each === owner ? [index] : [])), starts.length]
      return turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0) - 1)
    })
    expect(Math.max(...waits)).toBeLessThanOrEqual(ahead / leastCost + weights.length + 2)
  })
  fc.assert(property, { numRuns: 100 })
})

test('a request is overtaken by others of its owner only by those that arrive within a quarter of the time it may wait', () => {
  const arrivals = fc.array(fc.record({ afterMs: fc.nat({ max: 3000 }), promptTokens: fc.nat({ max: 10_000 }) }), {
    minLength: 2,
    maxLength: 40,
  })
  const property = fc.property(arrivals, (requests) => {
    const queueTimeoutMs = 8000
    const limits = { queueLimit: 100, organisationQueueLimit: 100, queueTimeoutMs }
    const scheduler = new SlotScheduler({ slots: 1, reservedSlots: 0, ...limits })
    const arrivedMs: number[] = []
    let nowMs = 0
    for (const [id, { afterMs, promptTokens }] of requests.entries()) {
      nowMs += afterMs
      arrivedMs.push(nowMs)
      scheduler.arrive({ id, ownerId: 'a', weight: 1, size: { promptTokens, completionTokens: 0, choices: 1 } }, nowMs)
    }
    const order: number[] = []
    for (let running: number | undefined = 0; running !== undefined; running = scheduler.release(running, nowMs)[0]?.id)
      order.push(running)
    const overtakenByMs = order.flatMap((id, place) =>
      order.slice(place + 1).map((later) => (arrivedMs[id] ?? 0) - (arrivedMs[later] ?? 0)),
    )
    expect(Math.max(...overtakenByMs)).toBeLessThanOrEqual(queueTimeoutMs / 4)
    expect(order).toHaveLength(requests.length)
  })
  fc.assert(property, { numRuns: 100 })
})

const kept = { reservedSlots: 1, queueLimit: 1000, organisationQueueLimit: 1000, queueTimeoutMs: 60_000 }

test('whatever one owner has done, alone since the start, the first request of another one starts at once', () => {
  const property = fc.property(fc.integer({ min: 2, max: 5 }), fc.array(event, { maxLength: 60 }), (slots, events) => {
    const scheduler = new SlotScheduler({ slots, ...kept })
    let lastId = 0
    let nowMs = 0
    for (const step of events) {
      const id = 1 + (step.type === 'arrive' || step.type === 'time' ? 0 : step.which % Math.max(1, lastId))
      if (step.type === 'time') nowMs += step.ms
      if (step.type === 'arrive') {
        const { type: _, ownerId: __, ...size } = step
        lastId += 1
        scheduler.arrive({ id: lastId, ownerId: 'flood', weight: 1, size }, nowMs)
      }
      if (step.type === 'use')
        scheduler.used(id, { promptTokens: 1, cachedTokens: 0, completionTokens: step.tokens }, nowMs)
      if (step.type === 'release') scheduler.release(id, nowMs)
      if (step.type === 'leave') scheduler.leave(id, nowMs)
      if (step.type === 'yield') scheduler.yield(id, nowMs)
      if (step.type === 'extend') scheduler.extend(id, nowMs)
    }
    const size = { promptTokens: 10_000, completionTokens: 10_000, choices: 4 }
    expect(scheduler.arrive({ id: lastId + 1, ownerId: 'new', weight: 1, size }, nowMs)).toEqual([
      { type: 'start', id: lastId + 1 },
    ])
  })
  fc.assert(property, { numRuns: 300 })
})

test('with a slot kept, owners that flood an engine of even speed are served alike, whatever the length of their answers', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 })
  const property = fc.property(fc.integer({ min: 3, max: 6 }), lengths, lengths, (slots, ...both) => {
    const scheduler = new SlotScheduler({ slots, ...kept })
    const running = new Map<number, { owner: number; tokens: number; length: number }>()
    const requests: { owner: number; length: number }[] = []
    const served = [0, 0]
    const take = (decisions: readonly Decision[]): void => {
      for (const { id } of decisions) {
        const { owner, length } = requests[id] ?? { owner: 0, length: 1 }
        running.set(id, { owner, tokens: 0, length })
        send(owner)
      }
    }
    const send = (owner: number): void => {
      const id = requests.length
      const length = both[owner]?.[id % both[owner].length] ?? 1
      requests.push({ owner, length })
      const size = { promptTokens: 0, completionTokens: length, choices: 1 }
      take(scheduler.arrive({ id, ownerId: String(owner), weight: 1, size }, 0))
    }
    for (const owner of [0, 1, 0, 1]) send(owner)
    for (let tick = 0; tick < 2000; tick += 1)
      for (const [id, answer] of [...running]) {
        answer.tokens += 1
        served[answer.owner] = (served[answer.owner] ?? 0) + 1
        scheduler.used(id, { promptTokens: 0, cachedTokens: 0, completionTokens: answer.tokens }, 0)
        if (answer.tokens < answer.length) continue
        running.delete(id)
        take(scheduler.release(id, 0))
      }
    expect(Math.abs((served[0] ?? 0) - (served[1] ?? 0))).toBeLessThanOrEqual((slots + 1) * 200 * 2)
  })
  fc.assert(property, { numRuns: 50 })
})
