import { createBelowShare } from './below-share.ts'
import { chooseExchange } from './choose-exchange.ts'
import { createFairShareCounters, type FairShareCounters } from './fair-share-counters.ts'
import { findExcess, type QueueLimits } from './queue-limits.ts'
import { type Arrival, createRequest, isPausedLong, isTurnOver, type Request } from './scheduled-request.ts'
import { createServiceRate } from './service-rate.ts'
import { SlotShares, type SlotSharesOptions } from './slot-shares.ts'
import { costOf, createAnswerLengths, type TokenCounts } from './token-cost.ts'
import { maxPauseMs, turnMs } from './turn.ts'
import { costAhead, retryAfterMs } from './wait-estimate.ts'
import { WaitingLists } from './waiting-lists.ts'

export type SlotSchedulerOptions = SlotSharesOptions &
  QueueLimits & {
    queueTimeoutMs: number
    /**
     * For answers that cannot be paused: while others wait, an owner that has its share of the slots gets no further one.
     */
    keepsShares?: boolean
  }

export type Decision =
  /** It gets a slot, or one more. */
  | { type: 'start'; id: number }
  /** It gives up a slot, and waits for another one. */
  | { type: 'pause'; id: number }
  | { type: 'refuse'; id: number; error: 'queue_full' | 'queue_timeout'; retryAfterMs: number }

/**
 * Decides which request gets an engine slot. It uses neither promises nor timers: each method is an event and returns
 * the resulting decisions. Of the owners for which a slot is free, the one with the lowest virtual token counter goes
 * next; among its requests the earliest, where a long request counts as later. The expected cost is charged at the start,
 * more if the request generates more, and the true cost at the end. An owner without a slot never waits while one is free,
 * and no longer than a turn while others run whose answers can be paused.
 */
export class SlotScheduler {
  readonly #options: SlotSchedulerOptions
  readonly #requests = new Map<number, Request>()
  /** Those that have a slot and can be paused. */
  readonly #pausable = new Set<Request>()
  readonly #waiting = new WaitingLists<Request>()
  readonly #slots: SlotShares
  readonly #counters: FairShareCounters
  readonly #lengths = createAnswerLengths()
  readonly #rate = createServiceRate()
  /** Cost of the prompts that the engine is reading. */
  #readingCost = 0
  /** The last that was started had been paused for long: another may go between two such. */
  #wasOverdue = false

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

  arrive(arrival: Arrival, nowMs: number): Decision[] {
    this.#advance(nowMs)
    const { id, ownerId, size } = arrival
    const { queueTimeoutMs } = this.#options
    const expectedCost = this.#lengths.expectedCost(size)
    const request = createRequest(arrival, expectedCost, { nowMs, queueTimeoutMs })
    this.#requests.set(id, request)
    this.#counters.join(ownerId, this.#waiting.of(ownerId).length > 0)
    this.#wait(request, nowMs)
    return [...this.#decide(nowMs), ...this.#refuseExcess(request, nowMs)]
  }

  /** Usage of a running request so far, for all its choices together. */
  used(id: number, tokens: TokenCounts, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined || !request.hasStarted) return []
    this.#advance(nowMs)
    const cost = costOf(tokens)
    if (this.#waiting.size > 0) this.#rate.add(cost - (request.workedOffCost ?? 0))
    this.#endReading(request)
    request.tokens = tokens
    request.workedOffCost = cost
    this.#charge(request, Math.max(request.chargedCost, cost))
    return this.#waiting.size > 0 && isTurnOver(request, nowMs) ? this.#exchange(nowMs) : []
  }

  /** Releases one slot of a request, or one that it has given up. A request without any has ended. */
  release(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined || request.slots + request.suspended === 0) return []
    this.#advance(nowMs)
    if (request.slots > 0) this.#free(request)
    else request.suspended -= 1
    this.#endIfDone(request)
    return this.#decide(nowMs)
  }

  /** Nobody reads the answer: it gives up its slots, and waits for none until it is resumed. */
  suspend(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined) return []
    this.#advance(nowMs)
    request.suspended += request.slots + request.waits
    while (request.slots > 0) this.#free(request)
    for (; request.waits > 0; request.waits -= 1) this.#waiting.remove(request)
    return this.#decide(nowMs)
  }

  /** It waits for as many slots as it had. */
  resume(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined) return []
    this.#advance(nowMs)
    for (; request.suspended > 0; request.suspended -= 1) this.#wait(request, nowMs)
    return this.#decide(nowMs)
  }

  /** Time has passed: turns may be over. */
  tick(nowMs: number): Decision[] {
    this.#advance(nowMs)
    return this.#exchange(nowMs)
  }

  /** When to call `tick`; null: another event comes first. */
  nextTickMs(nowMs: number): number | null {
    if (this.#waiting.size === 0 || this.#pausable.size === 0) return null
    const paused = [...this.#waiting.firsts()].filter(({ hasStarted }) => hasStarted)
    const moments = [
      ...[...this.#pausable].map(({ turn }) => turn.startedMs + turnMs),
      ...paused.map(({ pausedAtMs }) => pausedAtMs + maxPauseMs),
    ].filter((ms) => ms > nowMs)
    return moments.length === 0 ? null : Math.min(...moments)
  }

  /** The engine can generate more or fewer answers at once. */
  resize(shares: SlotSharesOptions, nowMs: number): Decision[] {
    this.#advance(nowMs)
    this.#slots.resize(shares)
    return this.#decide(nowMs)
  }

  /** Removes a waiting request whose client has disconnected. */
  leave(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined || request.waits + request.suspended === 0) return []
    this.#advance(nowMs)
    if (request.waits > 0) this.#withdraw(request)
    else {
      request.suspended -= 1
      this.#endIfDone(request)
    }
    return this.#decide(nowMs)
  }

  /** A request has reached its time limit in the queue. */
  expire(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined || request.waits === 0 || request.hasStarted) return []
    this.#advance(nowMs)
    return [this.#refuse(request, 'queue_timeout'), ...this.#decide(nowMs)]
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
   * Requests do this between choices. Between tokens the scheduler pauses those whose turn is over.
   */
  yield(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined || request.slots === 0 || request.waits > 0 || this.#waiting.size === 0) return []
    this.#advance(nowMs)
    this.#free(request)
    const next = this.#next(nowMs)
    if (next === null || (this.#slots.hasFreeFor(request.ownerId) && !this.#goesFirst(next, request))) {
      this.#occupy(request)
      return []
    }
    this.#wait(request, nowMs)
    return this.#decide(nowMs)
  }

  /** The speed of a busy engine: it is measured while requests wait. */
  #advance(nowMs: number): void {
    this.#rate.advance(nowMs, this.#waiting.size > 0)
  }

  /** A paused answer waits in the order of the pauses, for what is still expected of it. */
  #wait(request: Request, nowMs: number): void {
    if (request.hasStarted && request.waits === 0) {
      request.order = nowMs
      request.expectedCost = request.chargedCost - (request.workedOffCost ?? 0)
      request.pausedAtMs = nowMs
    }
    request.waits += 1
    this.#waiting.add(request)
  }

  #decide(nowMs: number): Decision[] {
    const started: Decision[] = []
    for (let next = this.#next(nowMs); next !== null; next = this.#next(nowMs)) started.push(this.#start(next, nowMs))
    return [...started, ...this.#exchange(nowMs)]
  }

  #start(next: Request, nowMs: number): Decision {
    this.#wasOverdue = this.#isOverdue(next, nowMs)
    this.#waiting.remove(next)
    next.waits -= 1
    this.#counters.serve(next.ownerId)
    if (!next.hasStarted) {
      this.#charge(next, next.expectedCost)
      this.#readingCost += next.tokens.promptTokens
    }
    next.hasStarted = true
    next.turn = { startedMs: nowMs, startCost: next.workedOffCost ?? 0 }
    this.#occupy(next)
    return { type: 'start', id: next.id }
  }

  /** Answers whose turn is over make room for requests that should go first. */
  #exchange(nowMs: number): Decision[] {
    const decisions: Decision[] = []
    for (;;) {
      if (this.#waiting.size === 0 || this.#pausable.size === 0) return decisions
      const running = [...this.#pausable]
      if (!running.some((request) => isTurnOver(request, nowMs))) return decisions
      const waiting = [...this.#waiting.firsts()]
      waiting.sort((one, other) => (this.#precedes(one, other, nowMs) ? -1 : 1))
      const exchange = chooseExchange({
        running,
        isTurnOver: (request) => isTurnOver(request, nowMs),
        waiting,
        isOverdue: (request) => isPausedLong(request, nowMs),
        counterOf: (ownerId) => this.#counters.of(ownerId),
        slots: this.#slots,
      })
      if (exchange === null) return decisions
      const { paused, next } = exchange
      this.#free(paused)
      const start = this.#start(next, nowMs)
      this.#wait(paused, nowMs)
      decisions.push({ type: 'pause', id: paused.id }, start)
    }
  }

  /** An owner that has a slot has its turns there. */
  #isOverdue(request: Request, nowMs: number): boolean {
    return this.#slots.heldBy(request.ownerId) === 0 && isPausedLong(request, nowMs)
  }

  /**
   * Those for which no slot is free are passed over: otherwise an owner whose answers hardly progress, because it reads them
   * slowly, would keep its low counter and hold up everybody else beside a free slot.
   */
  #next(nowMs: number): Request | null {
    if (this.#waiting.size === 0 || this.#slots.running >= this.#slots.slots) return null
    const free = [...this.#waiting.firsts()].filter(({ ownerId }) => this.#slots.hasFreeFor(ownerId))
    const isBelow =
      this.#options.keepsShares && free.length > 1 ? createBelowShare(this.#requests.values(), this.#slots) : () => true
    const below = free.filter(({ ownerId }) => isBelow(ownerId))
    return (below.length > 0 ? below : free).reduce<Request | null>(
      (next, request) => (next === null || this.#precedes(request, next, nowMs) ? request : next),
      null,
    )
  }

  #precedes(one: Request, other: Request, nowMs: number): boolean {
    const isOverdue = this.#isOverdue(one, nowMs)
    if (isOverdue !== this.#isOverdue(other, nowMs)) return isOverdue !== this.#wasOverdue
    return isOverdue ? one.pausedAtMs < other.pausedAtMs : this.#goesFirst(one, other)
  }

  #goesFirst(one: Request, other: Request): boolean {
    const ahead = this.#counters.of(one.ownerId) - this.#counters.of(other.ownerId)
    return ahead === 0 ? one.order < other.order : ahead < 0
  }

  #occupy(request: Request): void {
    request.slots += 1
    if (request.canPause) this.#pausable.add(request)
    this.#slots.occupy(request.ownerId)
  }

  #free(request: Request): void {
    request.slots -= 1
    if (request.slots === 0) this.#pausable.delete(request)
    this.#slots.free(request.ownerId)
  }

  #charge(request: Request, cost: number): void {
    this.#counters.charge(request.ownerId, (cost - request.chargedCost) / request.weight)
    request.chargedCost = cost
  }

  #withdraw(request: Request): void {
    this.#waiting.remove(request)
    request.waits -= 1
    this.#endIfDone(request)
  }

  #endIfDone(request: Request): void {
    if (request.slots + request.waits + request.suspended > 0) return
    if (request.hasStarted) {
      this.#endReading(request)
      this.#charge(request, costOf(request.tokens))
      this.#lengths.learn(request.tokens.completionTokens, request.choices)
    }
    this.#requests.delete(request.id)
    this.#counters.leave(request.ownerId)
  }

  #refuseExcess(arrived: Request, nowMs: number): Decision[] {
    if (arrived.waits === 0) return []
    const isLate = (this.#waitMs(arrived) ?? 0) > this.#options.queueTimeoutMs
    const counts = (request: Request): boolean => !request.hasStarted
    const excess = isLate ? arrived : findExcess(arrived, this.#waiting, { ...this.#options, counts })
    if (excess === null) return []
    return [this.#refuse(excess, isLate ? 'queue_timeout' : 'queue_full'), ...this.#decide(nowMs)]
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
    return costAhead(request, this.#waiting, (ownerId) => this.#counters.of(ownerId)) / costPerMs
  }
}
