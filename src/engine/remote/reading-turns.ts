import { createFairQueue } from '../../base/fair-queue.ts'

/**
 * How much of the streams of upstreams is read in one turn of the event loop. A very fast upstream would otherwise occupy the
 * thread that serves all callers: reading 1 MB of events takes some 30 ms. Tenants are served in turn: however many fast
 * streams one of them has, a stream of another waits for one of them at most.
 */
export interface ReadingTurns {
  /** Undefined if this much may be read now; otherwise resolves when it may. Streams of a tenant wait in order. */
  wait(tenant: string, bytes: number): Promise<void> | undefined
}

/** The maximum that one stream reads at a time. A hundred tokens that arrive at once are less. */
export const maxBytesAtOnce = 16 * 1024
const bytesPerTurn = maxBytesAtOnce
/** Tokens that arrive one by one never wait. */
const littleBytes = 2 * 1024

export const createReadingTurns = (nextTurn: (run: () => void) => void = setImmediate): ReadingTurns => {
  let leftBytes = bytesPerTurn
  let isScheduled = false
  const waiting = createFairQueue<{ bytes: number; resume: () => void }>()

  const spend = (bytes: number): void => {
    leftBytes -= bytes
    if (isScheduled) return
    isScheduled = true
    nextTurn(begin)
  }
  const begin = (): void => {
    isScheduled = false
    leftBytes = bytesPerTurn
    while (leftBytes > 0) {
      const next = waiting.take()
      if (next === undefined) return
      spend(next.bytes)
      next.resume()
    }
  }
  return {
    wait(tenant, bytes) {
      if (bytes <= littleBytes) return undefined
      const read = Math.min(bytes, maxBytesAtOnce)
      if (leftBytes > 0 && waiting.size === 0) {
        spend(read)
        return undefined
      }
      return new Promise((resume) => waiting.add(tenant, { bytes: read, resume }))
    },
  }
}
