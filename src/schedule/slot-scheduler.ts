import { createFairShareCounters, type FairShareCounters } from './fair-share-counters.ts'
import { findExcess, type QueueLimits } from './queue-limits.ts'
import { createServiceRate } from './service-rate.ts'
import { SlotShares, type SlotSharesOptions } from './slot-shares.ts'
import { costOf, createAnswerLengths, type RequestSize, type TokenCounts } from './token-cost.ts'
import { costBefore, retryAfterMs } from './wait-estimate.ts'
import { type Waiter, WaitingLists } from './waiting-lists.ts'

export type SlotSchedulerOptions = SlotSharesOptions &
  QueueLimits & {
    queueTimeoutMs: number
  }

/** Ids increase: the newest request has the highest. `weight`: that of its organisation. */
export type Arrival = { id: number; ownerId: string; weight: number; size: RequestSize }

export type Decision =
  | { type: 'start'; id: number }
  | { type: 'refuse'; id: number; error: 'queue_full' | 'queue_timeout'; retryAfterMs: number }

type Request = Waiter & {
  readonly choices: number
  /** From then on the time limit and the queue limit no longer apply, even if it waits again. */
  hasStarted: boolean
  isWaiting: boolean
  slots: number
  chargedCost: number
  tokens: TokenCounts
  /** The cost that the engine has completed; null until the engine has read the prompt. */
  workedOffCost: number | null
}

/** Each token of expected cost delays a request's nominal arrival by this much … */
const delayMsPerCost = 5
/** … up to this share of its time limit, so that shorter requests cannot delay it until it is refused. */
const mostDelayShare = 1 / 4

/**
 * Decides which request gets an engine slot. It uses neither promises nor timers: each method is an event and returns
 * the resulting decisions. Of the owners for which a slot is free, the one with the lowest virtual token counter goes
 * next; among its requests the earliest, where a long request counts as later. The expected cost is charged at the start,
 * more if the request generates more, and the true cost at the end. An owner without a slot never waits while one is free.
 */
export class SlotScheduler {
  readonly #options: SlotSchedulerOptions
  readonly #requests = new Map<number, Request>()
  readonly #waiting = new WaitingLists<Request>()
  readonly #slots: SlotShares
  readonly #counters: FairShareCounters
  readonly #lengths = createAnswerLengths()
  readonly #rate = createServiceRate()
  /** Cost of the prompts that the engine is reading. */
  #readingCost = 0

  constructor(options: SlotSchedulerOptions) {
    this.#options = options
    this.#slots = new SlotShares(options)
    this.#counters = createFairShareCounters()
  }

  /** Slots in use. */
  get running(): number {
    return this.#slots.running
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Number of requests and owners in memory. */
  get remembered(): { requests: number; owners: number } {
    return { requests: this.#requests.size, owners: this.#counters.size }
  }

  counterOf(ownerId: string): number {
    return this.#counters.of(ownerId)
  }

  arrive({ id, ownerId, weight, size }: Arrival, nowMs: number): Decision[] {
    this.#advance(nowMs)
    const { queueTimeoutMs } = this.#options
    const expectedCost = this.#lengths.expectedCost(size)
    const request: Request = {
      id,
      ownerId,
      weight,
      order: nowMs + Math.min(expectedCost * delayMsPerCost, queueTimeoutMs * mostDelayShare),
      expectedCost,
      choices: size.choices,
      hasStarted: false,
      isWaiting: false,
      slots: 0,
      chargedCost: 0,
      tokens: { promptTokens: size.promptTokens, cachedTokens: 0, completionTokens: 0 },
      workedOffCost: null,
    }
    this.#requests.set(id, request)
    this.#counters.join(ownerId, this.#waiting.of(ownerId).length > 0)
    this.#wait(request)
    return [...this.#startNext(), ...this.#refuseExcess(request)]
  }

  /** Usage of a running request so far, for all its choices together. */
  used(id: number, tokens: TokenCounts, nowMs: number): void {
    const request = this.#requests.get(id)
    if (request === undefined || !request.hasStarted) return
    this.#advance(nowMs)
    const cost = costOf(tokens)
    if (this.#waiting.size > 0) this.#rate.add(cost - (request.workedOffCost ?? 0))
    this.#endReading(request)
    Object.assign(request, { tokens, workedOffCost: cost })
    this.#charge(request, Math.max(request.chargedCost, cost))
  }

  /** Releases one slot of a request. A request without slots has ended. */
  release(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined || request.slots === 0) return []
    this.#advance(nowMs)
    this.#free(request)
    this.#endIfDone(request)
    return this.#startNext()
  }

  /** The engine can generate more or fewer answers at once. */
  resize(shares: SlotSharesOptions, nowMs: number): Decision[] {
    this.#advance(nowMs)
    this.#slots.resize(shares)
    return this.#startNext()
  }

  /** Removes a waiting request whose client has disconnected. */
  leave(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined || !request.isWaiting) return []
    this.#advance(nowMs)
    this.#withdraw(request)
    return this.#startNext()
  }

  /** A request has reached its time limit in the queue. */
  expire(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (!request?.isWaiting || request.hasStarted) return []
    this.#advance(nowMs)
    return [this.#refuse(request, 'queue_timeout'), ...this.#startNext()]
  }

  /** One more slot for a running request. False if none is free or others wait. */
  extend(id: number, nowMs: number): boolean {
    const request = this.#requests.get(id)
    if (request === undefined || !request.hasStarted || this.#waiting.size > 0) return false
    if (!this.#slots.hasFreeFor(request.ownerId)) return false
    this.#advance(nowMs)
    this.#occupy(request)
    return true
  }

  /**
   * A running request gives up a slot and waits for another, if a waiting one should go first: one with a lower counter, or
   * any of an owner without a slot if only those may have this one. If no decisions are returned, it keeps the slot.
   * Requests do this between choices; an engine that can pause could do it between tokens.
   */
  yield(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined || request.slots === 0 || request.isWaiting || this.#waiting.size === 0) return []
    this.#advance(nowMs)
    this.#free(request)
    const next = this.#next()
    if (next === null || (this.#slots.hasFreeFor(request.ownerId) && !this.#goesFirst(next, request))) {
      this.#occupy(request)
      return []
    }
    this.#wait(request)
    return this.#startNext()
  }

  /** The speed of a busy engine: it is measured while requests wait. */
  #advance(nowMs: number): void {
    this.#rate.advance(nowMs, this.#waiting.size > 0)
  }

  #wait(request: Request): void {
    request.isWaiting = true
    this.#waiting.add(request)
  }

  #startNext(): Decision[] {
    const started: Decision[] = []
    for (let next = this.#next(); next !== null; next = this.#next()) {
      this.#waiting.remove(next)
      next.isWaiting = false
      this.#counters.serve(next.ownerId)
      if (!next.hasStarted) {
        this.#charge(next, next.expectedCost)
        this.#readingCost += next.tokens.promptTokens
      }
      next.hasStarted = true
      this.#occupy(next)
      started.push({ type: 'start', id: next.id })
    }
    return started
  }

  /**
   * Those for which no slot is free are passed over: otherwise an owner whose answers hardly progress, because it reads them
   * slowly, would keep its low counter and hold up everybody else beside a free slot.
   */
  #next(): Request | null {
    let next: Request | null = null
    for (const request of this.#waiting.firsts())
      if (this.#slots.hasFreeFor(request.ownerId) && (next === null || this.#goesFirst(request, next))) next = request
    return next
  }

  #goesFirst(one: Request, other: Request): boolean {
    const ahead = this.#counters.of(one.ownerId) - this.#counters.of(other.ownerId)
    return ahead === 0 ? one.order < other.order : ahead < 0
  }

  #occupy(request: Request): void {
    request.slots += 1
    this.#slots.occupy(request.ownerId)
  }

  #free(request: Request): void {
    request.slots -= 1
    this.#slots.free(request.ownerId)
  }

  #charge(request: Request, cost: number): void {
    this.#counters.charge(request.ownerId, (cost - request.chargedCost) / request.weight)
    request.chargedCost = cost
  }

  #withdraw(request: Request): void {
    this.#waiting.remove(request)
    request.isWaiting = false
    this.#endIfDone(request)
  }

  #endIfDone(request: Request): void {
    if (request.slots > 0 || request.isWaiting) return
    if (request.hasStarted) {
      this.#endReading(request)
      this.#charge(request, costOf(request.tokens))
      this.#lengths.learn(request.tokens.completionTokens, request.choices)
    }
    this.#requests.delete(request.id)
    this.#counters.leave(request.ownerId)
  }

  #refuseExcess(arrived: Request): Decision[] {
    if (!arrived.isWaiting) return []
    const isLate = (this.#waitMs(arrived) ?? 0) > this.#options.queueTimeoutMs
    const counts = (request: Request): boolean => !request.hasStarted
    const excess = isLate ? arrived : findExcess(arrived, this.#waiting, { ...this.#options, counts })
    if (excess === null) return []
    return [this.#refuse(excess, isLate ? 'queue_timeout' : 'queue_full'), ...this.#startNext()]
  }

  #endReading(request: Request): void {
    if (request.workedOffCost === null) this.#readingCost -= request.tokens.promptTokens
    request.workedOffCost ??= 0
  }

  #refuse(request: Request, error: 'queue_full' | 'queue_timeout'): Decision {
    const waitMs = this.#waitMs(request)
    this.#withdraw(request)
    return { type: 'refuse', id: request.id, error, retryAfterMs: retryAfterMs(waitMs) }
  }

  /** Remaining wait of a waiting request; null if the speed is not known yet. */
  #waitMs(request: Request): number | null {
    // Prompts being read count as read: this overestimates the speed, so no request is refused because of it.
    const costPerMs = this.#rate.costPerMs(this.#readingCost)
    if (costPerMs === null) return null
    const own = request.ownerId
    const ahead = { cost: 0, charge: 0 }
    for (const { id, expectedCost, weight } of this.#waiting.of(own)) {
      if (id === request.id) break
      ahead.cost += expectedCost
      ahead.charge += expectedCost / weight
    }
    const others = [...this.#waiting.firsts()]
      .filter(({ ownerId }) => ownerId !== own)
      .map(({ ownerId }) => {
        const { cost: waitingCost, charge: waitingCharge } = this.#waiting.costOf(ownerId)
        return { counter: this.#counters.of(ownerId), waitingCost, waitingCharge }
      })
    return costBefore(ahead, this.#counters.of(own), others) / costPerMs
  }
}
