import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'

/**
 * Who runs next: a bounded queue in front of the engine's slots, first come first served. A full queue and a wait that is
 * too long answer at once instead of hanging.
 */
export interface Slots {
  /** Resolves to the function that gives the slot back. Rejects with an `ApiError`, or the signal's reason. */
  take(signal: AbortSignal): Promise<() => void>
  /** A slot at once, or null: where none is free, and where others wait. */
  tryTake(): (() => void) | null
  readonly running: number
  readonly waiting: number
}

type SlotsOptions = { slots: number; queueLimit: number; queueTimeoutMs: number; clock: Clock }
type Waiter = { admit: () => void }

/** How long a refused caller should wait: nobody knows when a slot is free, but sooner is pointless. */
const retryAfterMs = 2000

export const createSlots = ({ slots, queueLimit, queueTimeoutMs, clock }: SlotsOptions): Slots => {
  const queue: Waiter[] = []
  let running = 0

  const occupy = (): (() => void) => {
    running += 1
    let released = false
    return () => {
      if (released) return
      released = true
      running -= 1
      queue.shift()?.admit()
    }
  }

  const wait = (signal: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        cancelTimeout()
        signal.removeEventListener('abort', onAbort)
      }
      const waiter: Waiter = {
        admit() {
          leave()
          resolve(occupy())
        },
      }
      const giveUp = (reason: unknown): void => {
        queue.splice(queue.indexOf(waiter), 1)
        leave()
        reject(reason)
      }
      const onAbort = (): void => giveUp(signal.reason)
      const cancelTimeout = clock.after(queueTimeoutMs, () =>
        giveUp(ApiError.of('queue_timeout', {}, { retryAfterMs })),
      )
      signal.addEventListener('abort', onAbort)
      queue.push(waiter)
    })

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (running < slots) return occupy()
      if (queue.length >= queueLimit) throw ApiError.of('queue_full', {}, { retryAfterMs })
      return wait(signal)
    },
    tryTake: () => (running < slots && queue.length === 0 ? occupy() : null),
    get running() {
      return running
    },
    get waiting() {
      return queue.length
    },
  }
}
