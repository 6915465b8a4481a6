import type { Clock } from './clock.ts'
import { createFairQueue } from './fair-queue.ts'

/**
 * Work in many slices, such as reading long bodies, does one slice per turn of the event loop, across all requests:
 * together, the slices of a dozen requests would delay everything else by milliseconds. Tenants are served in turn,
 * however much work each of them has.
 */
const waiting = createFairQueue<() => void>()
let isScheduled = false

/** Calls `resume` once it is this tenant's turn. */
export const waitForTurn = (tenant: string, resume: () => void): void => {
  waiting.add(tenant, resume)
  schedule()
}

/** A stream with more bytes than this in that many milliseconds is faster than any model, and is treated as a flood. */
const floodBytes = 65_536
const floodMs = 100

/** Called with the size of each piece of a stream. Returns the wait for its turn, if the stream is a flood. */
export const createFloodTurns = (tenant: string, clock: Pick<Clock, 'monotonicMs'>) => {
  let sinceMs = Number.NEGATIVE_INFINITY
  let sum = 0
  return (bytes: number): Promise<void> | undefined => {
    const nowMs = clock.monotonicMs()
    if (nowMs - sinceMs > floodMs) {
      sinceMs = nowMs
      sum = 0
    }
    sum += bytes
    return sum > floodBytes ? new Promise((resolve) => waitForTurn(tenant, resolve)) : undefined
  }
}

const schedule = (): void => {
  if (isScheduled || waiting.size === 0) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    waiting.take()?.()
    schedule()
  })
}
