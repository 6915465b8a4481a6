import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'

/**
 * A token bucket for each name, which refills evenly. An attempt is consumed before the work and refunded after a success,
 * so that concurrent attempts cannot exceed the limit together.
 */
export interface AttemptLimit {
  /** Throws `too_many_attempts` when none is left. */
  consume(name: string): void
  /** The same, returning false instead of throwing. */
  tryConsume(name: string): boolean
  /** How many are consumed at this moment. */
  used(name: string): number
  refund(name: string): void
  /** Refunds all of them. */
  reset(name: string): void
}

type Bucket = { used: number; atMs: number }

/** Attackers can choose the names. The least recently used bucket is evicted, which is also the nearest to full again. */
const maxNames = 50_000

export const createAttemptLimit = ({ max, perMs }: { max: number; perMs: number }, clock: Clock): AttemptLimit => {
  const buckets = new Map<string, Bucket>()
  const refillMs = perMs / max

  const used = (name: string): number => {
    const bucket = buckets.get(name)
    if (bucket === undefined) return 0
    return Math.max(0, bucket.used - (clock.monotonicMs() - bucket.atMs) / refillMs)
  }
  const set = (name: string, value: number): void => {
    buckets.delete(name)
    if (value > 0) buckets.set(name, { used: value, atMs: clock.monotonicMs() })
    for (const oldest of buckets.keys()) {
      if (buckets.size <= maxNames) break
      buckets.delete(oldest)
    }
  }
  const tryConsume = (name: string): boolean => {
    const before = used(name)
    if (before > max - 1) return false
    set(name, before + 1)
    return true
  }
  return {
    consume(name) {
      const retryAfterMs = (used(name) - (max - 1)) * refillMs
      if (!tryConsume(name)) throw ApiError.of('too_many_attempts', {}, { retryAfterMs })
    },
    tryConsume,
    used,
    refund: (name) => set(name, used(name) - 1),
    reset: (name) => set(name, 0),
  }
}
