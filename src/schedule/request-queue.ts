import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { PauseSwitch } from '../base/pause-switch.ts'
import { type Pauses, SlotLeases } from './slot-leases.ts'
import { type Decision, SlotScheduler, type SlotSchedulerOptions } from './slot-scheduler.ts'
import type { RequestSize, TokenCounts } from './token-cost.ts'

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
  /** Number of requests and owners in memory. */
  readonly remembered: { requests: number; owners: number }
}

/** The organisations of one owner count as one. */
type QueuedRequest = {
  organisationId: string
  ownerId: string
  size: RequestSize
  /** Pauses the answer while others have its turn. Without it, the answer keeps its slot to the end. */
  pausing?: PauseSwitch | undefined
}

export interface Slot {
  /** Usage of the request so far, for all its choices together; charged to its owner. */
  used(tokens: TokenCounts): void
  /** Idempotent. */
  release(): void
  /** One more slot for the same request, with its release; null if none is free or others wait. */
  tryExtra(pausing?: PauseSwitch): (() => void) | null
  /**
   * Called between two choices of a request: if a waiting request should go first, it gets this slot, and this request
   * waits for another without a time limit. Null if none should. Rejects with the signal's reason; the slot must be
   * released even then.
   */
  yield(signal: AbortSignal): Promise<void> | null
  /** Nobody reads what was generated: the answer is paused, and others may have its slots. Only if it can be paused. */
  suspend(): void
  /** It continues as soon as there is a slot for it. */
  resume(): void
  /** How often and for how long the answer has been paused for others. */
  pauses(): Pauses
}

export type RequestQueueOptions = Omit<SlotSchedulerOptions, 'organisationQueueLimit'> & {
  /** Null: up to the size of the queue. */
  organisationQueueLimit: number | null
  organisationWeights: readonly string[]
  clock: Clock
}

type Waiter = { start(): void; refuse(error: ApiError): void }

export const createRequestQueue = ({ clock, ...options }: RequestQueueOptions): RequestQueue => {
  const { queueLimit, queueTimeoutMs, reservedSlots } = options
  const weightOf = readWeights(options.organisationWeights)
  const scheduler = new SlotScheduler({
    ...options,
    organisationQueueLimit: options.organisationQueueLimit ?? queueLimit,
  })
  const waiters = new Map<number, Waiter>()
  const leasesOf = new Map<number, SlotLeases>()
  let lastId = 0
  let cancelTick = (): void => {}
  let tickAtMs: number | null = null

  const apply = (decision: Decision): void => {
    const waiter = waiters.get(decision.id)
    const leases = leasesOf.get(decision.id)
    if (decision.type === 'pause') leases?.pause()
    else if (decision.type === 'start') (waiter ?? leases)?.start()
    else waiter?.refuse(ApiError.of(decision.error, {}, { retryAfterMs: decision.retryAfterMs }))
  }
  const carryOut = (decisions: readonly Decision[]): void => {
    for (const decision of decisions) apply(decision)
    scheduleTick()
  }
  const scheduleTick = (): void => {
    const nowMs = clock.monotonicMs()
    const nextMs = scheduler.nextTickMs(nowMs)
    if (nextMs === tickAtMs) return
    cancelTick()
    tickAtMs = nextMs
    cancelTick = nextMs === null ? () => {} : clock.after(nextMs - nowMs, tick)
  }
  const tick = (): void => {
    tickAtMs = null
    carryOut(scheduler.tick(clock.monotonicMs()))
  }
  /** Present until the request is started or refused, which may happen in the first decisions. */
  const wait = (id: number, signal: AbortSignal, timeoutMs: number | null, first: readonly Decision[]): Promise<void> =>
    new Promise((resolve, reject) => {
      // Most start at once.
      if (first.length === 1 && first[0]?.id === id && first[0].type === 'start') {
        if (scheduler.waiting > 0) scheduleTick()
        return resolve()
      }
      let cancelTimeout = (): void => {}
      const end = (): void => {
        waiters.delete(id)
        cancelTimeout()
        signal.removeEventListener('abort', onAbort)
      }
      const onAbort = (): void => {
        end()
        carryOut(scheduler.leave(id, clock.monotonicMs()))
        reject(signal.reason)
      }
      waiters.set(id, {
        start() {
          end()
          resolve()
        },
        refuse(error) {
          end()
          reject(error)
        },
      })
      carryOut(first)
      if (!waiters.has(id)) return
      if (signal.aborted) return onAbort()
      signal.addEventListener('abort', onAbort)
      if (timeoutMs === null) return
      cancelTimeout = clock.after(timeoutMs, () => carryOut(scheduler.expire(id, clock.monotonicMs())))
    })
  const openSlot = (id: number, pausing: PauseSwitch | undefined): Slot => {
    const leases = new SlotLeases(clock.monotonicMs)
    leasesOf.set(id, leases)
    const own = leases.add(pausing)
    let isReleased = false
    /** Idempotent. One that was yielded is released once it is regained. */
    const letGo = (lease: typeof own): void => {
      const { state } = lease
      if (state === 'released' || state === 'yielded') return
      leases.set(lease, 'released')
      if (leases.isReleased()) leasesOf.delete(id)
      const nowMs = clock.monotonicMs()
      carryOut(state === 'paused' ? scheduler.leave(id, nowMs) : scheduler.release(id, nowMs))
    }
    const regain = async (signal: AbortSignal, decisions: readonly Decision[]): Promise<void> => {
      leases.set(own, 'yielded')
      try {
        await wait(id, signal, null, decisions)
      } catch (error) {
        leases.set(own, 'released')
        if (leases.isReleased()) leasesOf.delete(id)
        throw error
      }
      leases.set(own, 'held')
      if (isReleased) letGo(own)
    }
    return {
      used(tokens) {
        const decisions = scheduler.used(id, tokens, clock.monotonicMs())
        if (decisions.length > 0) carryOut(decisions)
      },
      release() {
        isReleased = true
        letGo(own)
      },
      tryExtra(extraPausing) {
        if (!scheduler.extend(id, clock.monotonicMs())) return null
        const extra = leases.add(extraPausing)
        leasesOf.set(id, leases)
        return () => letGo(extra)
      },
      yield(signal) {
        const decisions = own.state === 'held' ? scheduler.yield(id, clock.monotonicMs()) : []
        return decisions.length === 0 ? null : regain(signal, decisions)
      },
      suspend() {
        if (pausing === undefined) return
        leases.suspend()
        carryOut(scheduler.suspend(id, clock.monotonicMs()))
      },
      resume() {
        if (pausing === undefined) return
        leases.unsuspend()
        carryOut(scheduler.resume(id, clock.monotonicMs()))
        leases.settle()
      },
      pauses: () => leases.pauses(),
    }
  }

  return {
    async enter({ organisationId, ownerId, size, pausing }, signal) {
      signal.throwIfAborted()
      lastId += 1
      const id = lastId
      const arrival = { id, ownerId, weight: weightOf(organisationId), size, canPause: pausing !== undefined }
      await wait(id, signal, queueTimeoutMs, scheduler.arrive(arrival, clock.monotonicMs()))
      return openSlot(id, pausing)
    },
    resize: (slots) => carryOut(scheduler.resize({ slots, reservedSlots }, clock.monotonicMs())),
    get running() {
      return scheduler.running
    },
    get waiting() {
      return scheduler.waiting
    },
    get remembered() {
      return scheduler.remembered
    },
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
