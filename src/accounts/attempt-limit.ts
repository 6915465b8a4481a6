import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'

/**
 * How often something may be tried: each name has a bucket of tries that refills evenly. Tries are taken before the work
 * and given back after a success, so that many at once cannot pass the limit together.
 */
export interface AttemptLimit {
  /** Throws `too_many_attempts` when there is none left. */
  take(name: string): void
  /** How many are gone at this moment. */
  used(name: string): number
  giveBack(name: string): void
  /** As if nothing had been tried. */
  forget(name: string): void
}

type Bucket = { used: number; atMs: number }

/** Names are an attacker's to choose. The one untouched for longest is given up, and is the nearest to full again. */
const maxNames = 50_000

export const createAttemptLimit = (
  { most, perMs }: { most: number; perMs: number },
  clock: Clock,
  onFull: (retryAfterMs: number) => ApiError = (retryAfterMs) => ApiError.of('too_many_attempts', {}, { retryAfterMs }),
): AttemptLimit => {
  const buckets = new Map<string, Bucket>()
  const refillMs = perMs / most

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
  return {
    take(name) {
      const gone = used(name)
      if (gone > most - 1) throw onFull((gone - (most - 1)) * refillMs)
      set(name, gone + 1)
    },
    used,
    giveBack: (name) => set(name, used(name) - 1),
    forget: (name) => set(name, 0),
  }
}
