import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { PauseSwitch } from '../base/pause-switch.ts'
import { RequestSlot } from './request-slot.ts'
import type { Decision } from './scheduled-request.ts'
import type { SlotLeases } from './slot-leases.ts'
import { SlotScheduler, type SlotSchedulerOptions } from './slot-scheduler.ts'
import { SlotWait } from './slot-wait.ts'
import type { RequestSize } from './token-cost.ts'

/**
 * Where requests wait for an engine slot. `SlotScheduler` makes the decisions; this module applies them to requests
 * with promises and timers. If the queue is full or the wait too long, the request fails at once instead of hanging.
 */
export interface RequestQueue {
  /** Resolves when the request gets a slot. Rejects with an `ApiError` or the signal's reason. */
  enter(request: QueuedRequest, signal: AbortSignal): Promise<Slot>
  /** At least 1. Requests that run continue, even if they are more. */
  resize(slots: number): void
  /** Slots in use. */
  readonly running: number
  readonly waiting: number
  /** The most that may wait. */
  readonly limit: number
  /** Number of requests and owners in memory. */
  readonly remembered: { requests: number; owners: number }
}

/** The organisations of one owner count as one. */
type QueuedRequest = {
  organisationId: string
  ownerId: string
  size: RequestSize
  /** What its limits have reserved for it: a worker has asked for the slot together with that. */
  held?: object
  /** Pauses the answer while others have its turn. Without it, the answer keeps its slot to the end. */
  pausing?: PauseSwitch | undefined
}

/** A slot, and what its request may do with it. */
export type Slot = Pick<
  RequestSlot,
  'used' | 'release' | 'tryExtra' | 'yield' | 'suspend' | 'resume' | 'pauses' | 'pausePeriods'
> & {
  /** Only in a worker: resolves when the slot that `tryExtra` has asked for is there, or is not given. Null: none was asked for. */
  extraAsked?(): Promise<null> | null
}

export type RequestQueueOptions = Omit<SlotSchedulerOptions, 'organisationQueueLimit'> & {
  /** Null: up to the size of the queue. */
  organisationQueueLimit: number | null
  organisationWeights: readonly string[]
  clock: Clock
}

type Tick = { type: 'none' } | { type: 'scheduled'; atMs: number; cancel(): void }

export const createRequestQueue = (options: RequestQueueOptions): RequestQueue => new ScheduledQueue(options)

class ScheduledQueue implements RequestQueue {
  readonly #clock: Clock
  readonly limit: number
  readonly #queueTimeoutMs: number
  readonly #reservedSlots: number
  readonly #weightOf: (organisationId: string) => number
  readonly #scheduler: SlotScheduler
  readonly #waits = new Map<number, SlotWait>()
  readonly #leases = new Map<number, SlotLeases>()
  #lastId = 0
  #tick: Tick = { type: 'none' }

  constructor({ clock, ...options }: RequestQueueOptions) {
    this.#clock = clock
    this.limit = options.queueLimit
    this.#queueTimeoutMs = options.queueTimeoutMs
    this.#reservedSlots = options.reservedSlots
    this.#weightOf = readWeights(options.organisationWeights)
    const organisationQueueLimit = options.organisationQueueLimit ?? options.queueLimit
    this.#scheduler = new SlotScheduler({ ...options, organisationQueueLimit })
  }

  async enter({ organisationId, ownerId, size, pausing }: QueuedRequest, signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted()
    this.#lastId += 1
    const id = this.#lastId
    const arrival = { id, ownerId, weight: this.#weightOf(organisationId), size, canPause: pausing !== undefined }
    const decisions = this.#scheduler.arrive(arrival, this.#clock.monotonicMs())
    await this.#wait(id, signal, this.#queueTimeoutMs, decisions)
    return this.#openSlot(id, pausing)
  }

  resize(slots: number): void {
    const reservedSlots = this.#reservedSlots
    this.#carryOut(this.#scheduler.resize({ slots, reservedSlots }, this.#clock.monotonicMs()))
  }

  get running(): number {
    return this.#scheduler.running
  }

  get waiting(): number {
    return this.#scheduler.waiting
  }

  get remembered(): { requests: number; owners: number } {
    return this.#scheduler.remembered
  }

  /** Present until the request is started or refused, which may happen in the first decisions. */
  #wait(id: number, signal: AbortSignal, timeoutMs: number | null, first: readonly Decision[]): Promise<void> {
    // Most start at once.
    if (first.length === 1 && first[0]?.id === id && first[0].type === 'start') {
      if (this.#scheduler.waiting > 0) this.#scheduleTick()
      return Promise.resolve()
    }
    const waiting = new SlotWait(signal, (state) => {
      this.#waits.delete(id)
      if (state === 'left') this.#carryOut(this.#scheduler.leave(id, this.#clock.monotonicMs()))
    })
    this.#waits.set(id, waiting)
    this.#carryOut(first)
    if (waiting.isWaiting) waiting.follow(() => this.#startTimeout(id, timeoutMs))
    return waiting.ended
  }

  #startTimeout(id: number, timeoutMs: number | null): () => void {
    if (timeoutMs === null) return () => {}
    const expire = (): void => this.#carryOut(this.#scheduler.expire(id, this.#clock.monotonicMs()))
    return this.#clock.after(timeoutMs, expire)
  }

  #openSlot(id: number, pausing: PauseSwitch | undefined): Slot {
    return new RequestSlot({
      ...{ id, pausing, scheduler: this.#scheduler, carryOut: this.#carryOut, monotonicMs: this.#clock.monotonicMs },
      wait: (signal, decisions) => this.#wait(id, signal, null, decisions),
      setLeases: (leases) => {
        if (leases === null) this.#leases.delete(id)
        else this.#leases.set(id, leases)
      },
    })
  }

  /** Bound, because every slot gets it. */
  readonly #carryOut = (decisions: readonly Decision[]): void => {
    for (const decision of decisions) this.#apply(decision)
    this.#scheduleTick()
  }

  #apply(decision: Decision): void {
    const wait = this.#waits.get(decision.id)
    const leases = this.#leases.get(decision.id)
    if (decision.type === 'pause') leases?.pause()
    else if (decision.type === 'start') (wait ?? leases)?.start()
    else wait?.refuse(ApiError.of(decision.error, {}, { retryAfterMs: decision.retryAfterMs }))
  }

  #scheduleTick(): void {
    const nowMs = this.#clock.monotonicMs()
    const atMs = this.#scheduler.nextTickMs(nowMs)
    const tick = this.#tick
    if (atMs === (tick.type === 'none' ? null : tick.atMs)) return
    if (tick.type === 'scheduled') tick.cancel()
    this.#tick =
      atMs === null
        ? { type: 'none' }
        : { type: 'scheduled', atMs, cancel: this.#clock.after(atMs - nowMs, this.#onTick) }
  }

  readonly #onTick = (): void => {
    this.#tick = { type: 'none' }
    this.#carryOut(this.#scheduler.tick(this.#clock.monotonicMs()))
  }
}

/** Parses entries of the setting `organisationWeights`, such as `org_1a2b=2`. The default weight is 1. */
const readWeights = (entries: readonly string[]): ((organisationId: string) => number) => {
  const weights = new Map<string, number>()
  for (const entry of entries) {
    const [organisationId = '', weight] = entry.split('=')
    weights.set(organisationId, Number(weight))
  }
  return (organisationId) => weights.get(organisationId) ?? 1
}
