import { createFairShareCounters, type FairShareCounters } from './fair-share-counters.ts'
import { findExcess, type QueueLimits } from './queue-limits.ts'
import { type Arrival, type Decision, ScheduledRequest } from './scheduled-request.ts'
import { ServiceOrder } from './service-order.ts'
import { createServiceRate } from './service-rate.ts'
import { SlotShares, type SlotSharesOptions } from './slot-shares.ts'
import { createAnswerLengths, type TokenCounts, tokenCost } from './token-cost.ts'
import { costAhead, retryAfterMs } from './wait-estimate.ts'
import { WaitingLists } from './waiting-lists.ts'

export type SlotSchedulerOptions = SlotSharesOptions &
  QueueLimits & {
    queueTimeoutMs: number
    /** For answers that cannot be paused: while others wait, an owner that has its share of the slots gets no further one. */
    keepsShares?: boolean
  }

/**
 * Decides which request gets an engine slot. It uses neither promises nor timers: each method is an event and returns
 * the resulting decisions. Of the owners for which a slot is free, the one with the lowest virtual token counter goes
 * next; among its requests the earliest, where a long request counts as later. The expected cost is charged at the start,
 * more if the request generates more, and the true cost at the end. An owner without a slot never waits while one is free,
 * and no longer than a turn while others run whose answers can be paused.
 */
export class SlotScheduler {
  readonly #options: SlotSchedulerOptions
  readonly #requests = new Map<number, ScheduledRequest>()
  /** Those that have a slot and can be paused. */
  readonly #pausable = new Set<ScheduledRequest>()
  readonly #waiting = new WaitingLists<ScheduledRequest>()
  readonly #slots: SlotShares
  readonly #counters: FairShareCounters
  readonly #order: ServiceOrder
  readonly #lengths = createAnswerLengths()
  readonly #rate = createServiceRate()
  /** Cost of the prompts that the engine is reading. */
  #readingCost = 0

  constructor(options: SlotSchedulerOptions) {
    this.#options = options
    this.#slots = new SlotShares(options)
    this.#counters = createFairShareCounters()
    this.#order = new ServiceOrder({
      ...{ waiting: this.#waiting, requests: this.#requests, pausable: this.#pausable },
      ...{ slots: this.#slots, counters: this.#counters, keepsShares: options.keepsShares ?? false },
    })
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
    const request = new ScheduledRequest(arrival, this.#lengths.expectedCost(size), { nowMs, queueTimeoutMs })
    this.#requests.set(id, request)
    this.#counters.join(ownerId, this.#waiting.of(ownerId).length > 0)
    this.#wait(request, null, nowMs)
    return [...this.#decide(nowMs), ...this.#refuseExcess(request, nowMs)]
  }

  /** Usage of a running request so far, for all its choices together. */
  used(id: number, tokens: TokenCounts, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined || !request.hasStarted) return []
    this.#advance(nowMs)
    const cost = tokenCost(tokens)
    if (this.#waiting.size > 0) this.#rate.add(cost - (request.workedOffCost ?? 0))
    this.#endReading(request)
    request.tokens = tokens
    request.workedOffCost = cost
    this.#charge(request, Math.max(request.chargedCost, cost))
    return this.#waiting.size > 0 && request.isTurnOver(nowMs) ? this.#exchange(nowMs) : []
  }

  /** Releases one slot of a request, or one that it has given up. A request without any has ended. */
  release(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined || request.count('held') + request.count('suspended') === 0) return []
    this.#advance(nowMs)
    if (request.count('held') > 0) this.#free(request, null)
    else request.move('suspended', null)
    this.#endIfDone(request)
    return this.#decide(nowMs)
  }

  /** Nobody reads the answer: it gives up its slots, and waits for none until it is resumed. */
  suspend(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined) return []
    this.#advance(nowMs)
    while (request.count('held') > 0) this.#free(request, 'suspended')
    while (request.count('awaited') > 0) this.#stopWaiting(request, 'suspended')
    return this.#decide(nowMs)
  }

  /** It waits for as many slots as it had. */
  resume(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request === undefined) return []
    this.#advance(nowMs)
    while (request.count('suspended') > 0) this.#wait(request, 'suspended', nowMs)
    return this.#decide(nowMs)
  }

  /** Time has passed: turns may be over. */
  tick(nowMs: number): Decision[] {
    this.#advance(nowMs)
    return this.#exchange(nowMs)
  }

  /** When to call `tick`; null: another event comes first. */
  nextTickMs(nowMs: number): number | null {
    return this.#order.nextTurnMs(nowMs)
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
    if (request === undefined || request.count('awaited') + request.count('suspended') === 0) return []
    this.#advance(nowMs)
    if (request.count('awaited') > 0) this.#stopWaiting(request, null)
    else request.move('suspended', null)
    this.#endIfDone(request)
    return this.#decide(nowMs)
  }

  /** A request has reached its time limit in the queue. */
  expire(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request?.state !== 'queued') return []
    this.#advance(nowMs)
    return [this.#refuse(request, 'queue_timeout'), ...this.#decide(nowMs)]
  }

  /** One more slot for a running request. False if none is free or others wait. */
  extend(id: number, nowMs: number): boolean {
    const request = this.#requests.get(id)
    if (request === undefined || !request.hasStarted || this.#waiting.size > 0) return false
    if (!this.#slots.hasFreeFor(request.ownerId)) return false
    this.#advance(nowMs)
    this.#occupy(request, null)
    return true
  }

  /**
   * A running request gives up a slot and waits for another, if a waiting one should go first: one with a lower counter, or
   * any of an owner without a slot if only those may have this one. If no decisions are returned, it keeps the slot.
   * Requests do this between choices. Between tokens the scheduler pauses those whose turn is over.
   */
  yield(id: number, nowMs: number): Decision[] {
    const request = this.#requests.get(id)
    if (request?.state !== 'running' || request.count('awaited') > 0 || this.#waiting.size === 0) return []
    this.#advance(nowMs)
    this.#free(request, null)
    const next = this.#order.next(nowMs)
    if (next === null || (this.#slots.hasFreeFor(request.ownerId) && !this.#order.goesFirst(next, request))) {
      this.#occupy(request, null)
      return []
    }
    this.#wait(request, null, nowMs)
    return this.#decide(nowMs)
  }

  /** The speed of a busy engine: it is measured while requests wait. */
  #advance(nowMs: number): void {
    this.#rate.advance(nowMs, this.#waiting.size > 0)
  }

  /** A paused answer waits in the order of the pauses, for what is still expected of it. */
  #wait(request: ScheduledRequest, from: 'suspended' | null, nowMs: number): void {
    if (request.hasStarted && request.count('awaited') === 0) {
      request.order = nowMs
      request.expectedCost = request.chargedCost - (request.workedOffCost ?? 0)
      request.pausedAtMs = nowMs
    }
    request.move(from, 'awaited')
    this.#waiting.add(request)
  }

  #stopWaiting(request: ScheduledRequest, to: 'suspended' | null): void {
    request.move('awaited', to)
    this.#waiting.remove(request)
  }

  #decide(nowMs: number): Decision[] {
    const started: Decision[] = []
    for (let next = this.#order.next(nowMs); next !== null; next = this.#order.next(nowMs))
      started.push(this.#start(next, nowMs))
    return [...started, ...this.#exchange(nowMs)]
  }

  #start(next: ScheduledRequest, nowMs: number): Decision {
    this.#order.starts(next, nowMs)
    this.#waiting.remove(next)
    this.#counters.serve(next.ownerId)
    if (!next.hasStarted) {
      this.#charge(next, next.expectedCost)
      this.#readingCost += next.tokens.promptTokens
    }
    next.hasStarted = true
    next.turn = { startedMs: nowMs, startCost: next.workedOffCost ?? 0 }
    this.#occupy(next, 'awaited')
    return { type: 'start', id: next.id }
  }

  /** Answers whose turn is over make room for requests that should go first. */
  #exchange(nowMs: number): Decision[] {
    const decisions: Decision[] = []
    for (let found = this.#order.exchange(nowMs); found !== null; found = this.#order.exchange(nowMs)) {
      const { paused, next } = found
      this.#free(paused, null)
      const start = this.#start(next, nowMs)
      this.#wait(paused, null, nowMs)
      decisions.push({ type: 'pause', id: paused.id }, start)
    }
    return decisions
  }

  #occupy(request: ScheduledRequest, from: 'awaited' | null): void {
    request.move(from, 'held')
    if (request.canPause) this.#pausable.add(request)
    this.#slots.occupy(request.ownerId)
  }

  #free(request: ScheduledRequest, to: 'suspended' | null): void {
    request.move('held', to)
    if (request.count('held') === 0) this.#pausable.delete(request)
    this.#slots.free(request.ownerId)
  }

  #charge(request: ScheduledRequest, cost: number): void {
    this.#counters.charge(request.ownerId, (cost - request.chargedCost) / request.weight)
    request.chargedCost = cost
  }

  #endIfDone(request: ScheduledRequest): void {
    if (request.state !== 'ended') return
    if (request.hasStarted) {
      this.#endReading(request)
      this.#charge(request, tokenCost(request.tokens))
      this.#lengths.learn(request.tokens.completionTokens, request.choices)
    }
    this.#requests.delete(request.id)
    this.#counters.leave(request.ownerId)
  }

  #refuseExcess(arrived: ScheduledRequest, nowMs: number): Decision[] {
    if (arrived.state !== 'queued') return []
    const isLate = (this.#waitMs(arrived) ?? 0) > this.#options.queueTimeoutMs
    const counts = (request: ScheduledRequest): boolean => !request.hasStarted
    const excess = isLate ? arrived : findExcess(arrived, this.#waiting, { ...this.#options, counts })
    if (excess === null) return []
    return [this.#refuse(excess, isLate ? 'queue_timeout' : 'queue_full'), ...this.#decide(nowMs)]
  }

  #endReading(request: ScheduledRequest): void {
    if (request.workedOffCost === null) this.#readingCost -= request.tokens.promptTokens
    request.workedOffCost ??= 0
  }

  #refuse(request: ScheduledRequest, error: 'queue_full' | 'queue_timeout'): Decision {
    const waitMs = this.#waitMs(request)
    this.#stopWaiting(request, null)
    this.#endIfDone(request)
    return { type: 'refuse', id: request.id, error, retryAfterMs: retryAfterMs(waitMs) }
  }

  /** Remaining wait of a waiting request; null if the speed is not known yet. */
  #waitMs(request: ScheduledRequest): number | null {
    // Prompts being read count as read: this overestimates the speed, so no request is refused because of it.
    const costPerMs = this.#rate.costPerMs(this.#readingCost)
    if (costPerMs === null) return null
    return costAhead(request, this.#waiting, (ownerId) => this.#counters.of(ownerId)) / costPerMs
  }
}
