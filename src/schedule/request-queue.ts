import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import { readWeights } from './read-weights.ts'
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
type QueuedRequest = { organisationId: string; ownerId: string; size: RequestSize }

export interface Slot {
  /** Usage of the request so far, for all its choices together; charged to its owner. */
  used(tokens: TokenCounts): void
  /** Idempotent. */
  release(): void
  /** One more slot for the same request, with its release; null if none is free or others wait. */
  tryExtra(): (() => void) | null
  /**
   * Called between two choices of a request: if a waiting request should go first, it gets this slot, and this request
   * waits for another without a time limit. Null if none should. Rejects with the signal's reason; the slot must be
   * released even then.
   */
  yield(signal: AbortSignal): Promise<void> | null
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
  let lastId = 0

  const carryOut = (decisions: readonly Decision[]): void => {
    for (const decision of decisions) {
      const waiter = waiters.get(decision.id)
      if (decision.type === 'start') waiter?.start()
      else waiter?.refuse(ApiError.of(decision.error, {}, { retryAfterMs: decision.retryAfterMs }))
    }
  }
  /** Present until the request is started or refused, which may happen in the first decisions. */
  const wait = (id: number, signal: AbortSignal, timeoutMs: number | null, first: readonly Decision[]): Promise<void> =>
    new Promise((resolve, reject) => {
      // Most start at once.
      if (first.length === 1 && first[0]?.id === id && first[0].type === 'start') return resolve()
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
  const free = (id: number): void => carryOut(scheduler.release(id, clock.monotonicMs()))
  const openSlot = (id: number): Slot => {
    let isHeld = true
    let isReleased = false
    const letGo = (): void => {
      if (!isHeld) return
      isHeld = false
      free(id)
    }
    const regain = async (signal: AbortSignal, decisions: readonly Decision[]): Promise<void> => {
      isHeld = false
      await wait(id, signal, null, decisions)
      isHeld = true
      if (isReleased) letGo()
    }
    return {
      used: (tokens) => scheduler.used(id, tokens, clock.monotonicMs()),
      release() {
        isReleased = true
        letGo()
      },
      tryExtra() {
        if (!scheduler.extend(id, clock.monotonicMs())) return null
        let isFree = false
        return () => {
          if (!isFree) free(id)
          isFree = true
        }
      },
      yield(signal) {
        const decisions = isHeld ? scheduler.yield(id, clock.monotonicMs()) : []
        return decisions.length === 0 ? null : regain(signal, decisions)
      },
    }
  }

  return {
    async enter({ organisationId, ownerId, size }, signal) {
      signal.throwIfAborted()
      lastId += 1
      const id = lastId
      const arrival = { id, ownerId, weight: weightOf(organisationId), size }
      const decisions = scheduler.arrive(arrival, clock.monotonicMs())
      await wait(id, signal, queueTimeoutMs, decisions)
      return openSlot(id)
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
