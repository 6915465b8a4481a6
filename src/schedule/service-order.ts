import { createBelowShare } from './below-share.ts'
import { chooseExchange } from './choose-exchange.ts'
import type { FairShareCounters } from './fair-share-counters.ts'
import type { ScheduledRequest } from './scheduled-request.ts'
import type { SlotShares } from './slot-shares.ts'
import { maxPauseMs, turnMs } from './turn.ts'
import type { WaitingLists } from './waiting-lists.ts'

type Options = {
  waiting: WaitingLists<ScheduledRequest>
  /** All that wait or run. */
  requests: ReadonlyMap<number, ScheduledRequest>
  /** Those that have a slot and can be paused. */
  pausable: ReadonlySet<ScheduledRequest>
  slots: SlotShares
  counters: FairShareCounters
  keepsShares: boolean
}

/** Which request goes next: the order of the scheduler, without its bookkeeping. */
export class ServiceOrder {
  readonly #options: Options
  /** The last that was started had been paused for long: another may go between two such. */
  #wasOverdue = false

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * The one that gets a free slot; null if there is none for anybody who waits. Those for which no slot is free are passed over:
   * otherwise an owner whose answers hardly progress, because it reads them slowly, would keep its low counter and hold up
   * everybody else beside a free slot.
   */
  next(nowMs: number): ScheduledRequest | null {
    const { waiting, requests, slots, keepsShares } = this.#options
    if (waiting.size === 0 || slots.running >= slots.slots) return null
    const free = [...waiting.firsts()].filter(({ ownerId }) => slots.hasFreeFor(ownerId))
    const isBelow = keepsShares && free.length > 1 ? createBelowShare(requests.values(), slots) : () => true
    const below = free.filter(({ ownerId }) => isBelow(ownerId))
    return (below.length > 0 ? below : free).reduce<ScheduledRequest | null>(
      (next, request) => (next === null || this.#precedes(request, next, nowMs) ? request : next),
      null,
    )
  }

  /** An answer whose turn is over, and the request that should have its slot; null if there are no such two. */
  exchange(nowMs: number): { paused: ScheduledRequest; next: ScheduledRequest } | null {
    const { waiting, pausable, slots, counters } = this.#options
    if (waiting.size === 0 || pausable.size === 0) return null
    const running = [...pausable]
    if (!running.some((request) => request.isTurnOver(nowMs))) return null
    const firsts = [...waiting.firsts()]
    firsts.sort((one, other) => (this.#precedes(one, other, nowMs) ? -1 : 1))
    return chooseExchange({
      running,
      isTurnOver: (request) => request.isTurnOver(nowMs),
      waiting: firsts,
      isOverdue: (request) => request.isPausedLong(nowMs),
      counterOf: (ownerId) => counters.of(ownerId),
      slots,
    })
  }

  /** When the next turn ends, or the next pause has been long; null: another event comes first. */
  nextTurnMs(nowMs: number): number | null {
    const { waiting, pausable } = this.#options
    if (waiting.size === 0 || pausable.size === 0) return null
    const paused = [...waiting.firsts()].filter(({ hasStarted }) => hasStarted)
    const moments = [
      ...[...pausable].map(({ turn }) => turn.startedMs + turnMs),
      ...paused.map(({ pausedAtMs }) => pausedAtMs + maxPauseMs),
    ].filter((ms) => ms > nowMs)
    return moments.length === 0 ? null : Math.min(...moments)
  }

  /** It is about to get a slot. */
  starts(next: ScheduledRequest, nowMs: number): void {
    this.#wasOverdue = this.#isOverdue(next, nowMs)
  }

  goesFirst(one: ScheduledRequest, other: ScheduledRequest): boolean {
    const { counters } = this.#options
    // As in the list of those that wait.
    if (one.ownerId === other.ownerId && one.hasStarted !== other.hasStarted) return one.hasStarted
    const ahead = counters.of(one.ownerId) - counters.of(other.ownerId)
    return ahead === 0 ? one.order < other.order : ahead < 0
  }

  #precedes(one: ScheduledRequest, other: ScheduledRequest, nowMs: number): boolean {
    const isOverdue = this.#isOverdue(one, nowMs)
    if (isOverdue !== this.#isOverdue(other, nowMs)) return isOverdue !== this.#wasOverdue
    return isOverdue ? one.pausedAtMs < other.pausedAtMs : this.goesFirst(one, other)
  }

  /** An owner that has a slot has its turns there. */
  #isOverdue(request: ScheduledRequest, nowMs: number): boolean {
    return this.#options.slots.heldBy(request.ownerId) === 0 && request.isPausedLong(nowMs)
  }
}
