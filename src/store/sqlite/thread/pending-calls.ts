/**
 * The calls that wait for their answer, by their number; the first is number 1. They are answered nearly in their order, so a
 * queue is enough. A `Map` would keep what it contained in memory for long, see `base/live-list.ts`.
 */
export interface PendingCalls<Call> {
  readonly size: number
  /** Infinite if there are none. */
  readonly oldestId: number
  /** The number of the call is one higher than that of the last. */
  add(call: Call): void
  /** Removes it. Undefined if it was removed before. */
  take(id: number): Call | undefined
  takeAll(): Call[]
}

/** The queue is shortened once this many calls at its beginning are done. */
const maxDone = 64

export const createPendingCalls = <Call>(): PendingCalls<Call> => {
  let calls: (Call | undefined)[] = []
  /** The number of the first in the queue. */
  let firstId = 1
  /** How many at the beginning of the queue are done. */
  let done = 0
  let size = 0
  return {
    get size() {
      return size
    },
    get oldestId() {
      return size === 0 ? Number.POSITIVE_INFINITY : firstId + done
    },
    add(call) {
      calls.push(call)
      size += 1
    },
    take(id) {
      const call = calls[id - firstId]
      if (call === undefined) return undefined
      calls[id - firstId] = undefined
      size -= 1
      while (done < calls.length && calls[done] === undefined) done += 1
      if (done >= maxDone) {
        calls.splice(0, done)
        firstId += done
        done = 0
      }
      return call
    },
    takeAll() {
      const left = calls.filter((call) => call !== undefined)
      firstId += calls.length
      calls = []
      done = 0
      size = 0
      return left
    },
  }
}
