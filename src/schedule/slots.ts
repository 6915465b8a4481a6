import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'

/**
 * Who runs next: a bounded queue in front of the engine's slots. A slot that is freed goes to the first request in the queue
 * whose organisation holds none, the one that frees it counted as a holder, or else to the first of all: an organisation that
 * has every slot keeps them only for as long as nobody else waits. A full queue and a wait that is too long answer at once instead of hanging.
 */
export interface Slots {
  /** Rejects with an `ApiError`, or the signal's reason. */
  take(organisationId: string, signal: AbortSignal): Promise<Slot>
  /** A slot at once, or null: where none is free, and where others wait. */
  tryTake(organisationId: string): Slot | null
  readonly running: number
  readonly waiting: number
}

export interface Slot {
  /** Calling it again changes nothing. */
  release(): void
  /**
   * Between two pieces of work of one request: where an organisation that holds no slot waits, that one gets this slot, and
   * the request waits for another. It was let in already, so neither the length of the queue nor its time limit concerns it.
   * Returns null where nobody is owed the slot. Rejects with the signal's reason; the slot must be released all the same.
   */
  yieldToOwed(signal: AbortSignal): Promise<void> | null
}

type SlotsOptions = { slots: number; queueLimit: number; queueTimeoutMs: number; clock: Clock }
type Waiter = { organisationId: string; admit: () => void }

/** How long a refused caller should wait: nobody knows when a slot is free, but sooner is pointless. */
const retryAfterMs = 2000

export const createSlots = ({ slots, queueLimit, queueTimeoutMs, clock }: SlotsOptions): Slots => {
  const queue: Waiter[] = []
  const held = createCounts()
  let running = 0

  const isOwed = ({ organisationId }: Waiter): boolean => held.of(organisationId) === 0
  const occupy = (organisationId: string): void => {
    running += 1
    held.add(organisationId, 1)
  }
  const free = (organisationId: string): void => {
    // Before the slot is taken off its holder: whoever has just had a turn is not owed the next one.
    const next = queue.find(isOwed) ?? queue[0]
    running -= 1
    held.add(organisationId, -1)
    if (next === undefined) return
    queue.splice(queue.indexOf(next), 1)
    next.admit()
  }
  const wait = (organisationId: string, signal: AbortSignal, timeoutMs: number | null): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        cancelTimeout()
        signal.removeEventListener('abort', onAbort)
      }
      const waiter: Waiter = {
        organisationId,
        admit() {
          leave()
          occupy(organisationId)
          resolve()
        },
      }
      const giveUp = (reason: unknown): void => {
        queue.splice(queue.indexOf(waiter), 1)
        leave()
        reject(reason)
      }
      const onAbort = (): void => giveUp(signal.reason)
      const timeOut = (): void => giveUp(ApiError.of('queue_timeout', {}, { retryAfterMs }))
      const cancelTimeout = timeoutMs === null ? () => {} : clock.after(timeoutMs, timeOut)
      signal.addEventListener('abort', onAbort)
      queue.push(waiter)
    })
  const openSlot = (organisationId: string): Slot => {
    let isHeld = true
    let isReleased = false
    const letGo = (): void => {
      if (!isHeld) return
      isHeld = false
      free(organisationId)
    }
    const release = (): void => {
      isReleased = true
      letGo()
    }
    const yieldSlot = async (signal: AbortSignal): Promise<void> => {
      signal.throwIfAborted()
      letGo()
      await wait(organisationId, signal, null)
      isHeld = true
      if (isReleased) letGo()
    }
    return {
      release,
      yieldToOwed: (signal) => (isHeld && queue.some(isOwed) ? yieldSlot(signal) : null),
    }
  }

  return {
    async take(organisationId, signal) {
      signal.throwIfAborted()
      if (running < slots) occupy(organisationId)
      else if (queue.length >= queueLimit) throw ApiError.of('queue_full', {}, { retryAfterMs })
      else await wait(organisationId, signal, queueTimeoutMs)
      return openSlot(organisationId)
    },
    tryTake(organisationId) {
      if (running >= slots || queue.length > 0) return null
      occupy(organisationId)
      return openSlot(organisationId)
    },
    get running() {
      return running
    },
    get waiting() {
      return queue.length
    },
  }
}

const createCounts = () => {
  const counts = new Map<string, number>()
  return {
    of: (id: string): number => counts.get(id) ?? 0,
    add(id: string, by: number): void {
      const count = (counts.get(id) ?? 0) + by
      if (count === 0) counts.delete(id)
      else counts.set(id, count)
    },
  }
}
