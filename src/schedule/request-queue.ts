import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import { readWeights } from './read-weights.ts'
import { type Decision, SlotScheduler, type SlotSchedulerOptions } from './slot-scheduler.ts'
import type { RequestSize, TokenCounts } from './token-cost.ts'

/**
 * Where a request waits for a slot on the engine. `SlotScheduler` decides who goes next; here its decisions reach the requests,
 * as promises and timers. A full queue and a wait that is too long answer at once instead of hanging.
 */
export interface RequestQueue {
  /** Resolves when the request has a slot. Rejects with an `ApiError`, or the signal's reason. */
  enter(request: QueuedRequest, signal: AbortSignal): Promise<Slot>
  /** Slots in use. */
  readonly running: number
  readonly waiting: number
  /** How many requests and organisations take up memory. */
  readonly remembered: { requests: number; organisations: number }
}

type QueuedRequest = { organisationId: string; size: RequestSize }

export interface Slot {
  /** What the request has used so far, all its choices together: its organisation is charged for it. */
  used(tokens: TokenCounts): void
  /** Calling it again changes nothing. */
  release(): void
  /** One more slot for the same request, and how to release it; null where none is free, and where others wait. */
  tryExtra(): (() => void) | null
  /**
   * Between two pieces of work of one request: where a waiting request should go first, it gets this slot, and this request
   * waits for another, without a time limit. Null where none should. Rejects with the signal's reason; the slot must be
   * released all the same.
   */
  yield(signal: AbortSignal): Promise<void> | null
}

export type RequestQueueOptions = Omit<
  SlotSchedulerOptions,
  'organisationQueueLimit' | 'reservedSlots' | 'weightOf'
> & {
  /** Null: as many as the queue has room for. */
  organisationQueueLimit: number | null
  /** Null: one of at least four. */
  reservedSlots: number | null
  organisationWeights: readonly string[]
  clock: Clock
}

type Waiter = { start(): void; refuse(error: ApiError): void }

export const createRequestQueue = ({ clock, ...options }: RequestQueueOptions): RequestQueue => {
  const { slots, queueLimit, queueTimeoutMs, organisationWeights } = options
  const scheduler = new SlotScheduler({
    ...options,
    organisationQueueLimit: options.organisationQueueLimit ?? queueLimit,
    reservedSlots: options.reservedSlots ?? (slots >= 4 ? 1 : 0),
    weightOf: readWeights(organisationWeights),
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
  /** Until the request is started or refused, which may be among the first decisions. */
  const wait = (id: number, signal: AbortSignal, timeoutMs: number | null, first: readonly Decision[]): Promise<void> =>
    new Promise((resolve, reject) => {
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
    async enter({ organisationId, size }, signal) {
      signal.throwIfAborted()
      lastId += 1
      const id = lastId
      const decisions = scheduler.arrive({ id, organisationId, size }, clock.monotonicMs())
      await wait(id, signal, queueTimeoutMs, decisions)
      return openSlot(id)
    },
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
