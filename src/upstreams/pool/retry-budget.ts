/**
 * Limits how many requests are sent a second time, so that failing upstreams do not get more requests than healthy ones
 * would. A fifth of the requests, one each second, and at first as many as one upstream may have in flight: when it dies,
 * all its answers may move.
 */
export interface RetryBudget {
  /** A request arrived. */
  earn(): void
  /** False if no retry is left. */
  spend(nowMs: number): boolean
  /** The most that can be saved up. */
  resize(max: number): void
}

const earnedPerRequest = 0.2
const earnedPerMs = 1 / 1000
const leastSize = 10

export const createRetryBudget = (max: number): RetryBudget => {
  let size = Math.max(leastSize, max)
  let left = size
  let seenMs: number | null = null
  return {
    earn() {
      left = Math.min(size, left + earnedPerRequest)
    },
    spend(nowMs) {
      left = Math.min(size, left + (nowMs - (seenMs ?? nowMs)) * earnedPerMs)
      seenMs = nowMs
      // A fifth is not exact in binary: five of them are a retry all the same.
      if (left < 1 - 1e-9) return false
      left -= 1
      return true
    },
    resize(next) {
      const grown = Math.max(leastSize, next) - size
      size += grown
      left = Math.min(size, left + Math.max(0, grown))
    },
  }
}
