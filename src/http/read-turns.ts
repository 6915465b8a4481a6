import { createFairQueue } from '../base/fair-queue.ts'

/**
 * Long bodies are read in turns, one slice of one of them in each turn of the event loop: read side by side, a dozen of them
 * delay everything else by milliseconds. Owners take turns, however many bodies each of them sends.
 */
const waiting = createFairQueue<() => void>()
let isScheduled = false

/** Calls `resume` once it is the turn of a body of this tenant. */
export const waitForTurn = (tenant: string, resume: () => void): void => {
  waiting.add(tenant, resume)
  schedule()
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
