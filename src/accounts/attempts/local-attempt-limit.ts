import type { Clock } from '../../base/clock.ts'
import { type AttemptLimit, type AttemptRate, type CreateAttemptLimit, currentRate } from './attempt-limit.ts'
import { tooManyAttempts } from './too-many-attempts.ts'

type Bucket = { used: number; atMs: number }

/** Attackers can choose the names. The least recently used bucket is evicted, which is also the nearest to full again. */
const maxNames = 50_000

/** Limits of one server, which end with the process. */
export const createLocalAttemptLimits =
  (clock: Clock): CreateAttemptLimit =>
  (_kind, rate) =>
    createLocalAttemptLimit(rate, clock)

export const createLocalAttemptLimit = (rate: AttemptRate | (() => AttemptRate), clock: Clock): AttemptLimit => {
  const buckets = new Map<string, Bucket>()

  const used = (name: string): number => {
    const bucket = buckets.get(name)
    if (bucket === undefined) return 0
    const { max, perMs } = currentRate(rate)
    return Math.max(0, bucket.used - (clock.monotonicMs() - bucket.atMs) / (perMs / max))
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
    if (before > currentRate(rate).max - 1) return false
    set(name, before + 1)
    return true
  }
  return {
    async consume(name) {
      const before = used(name)
      if (!tryConsume(name)) throw tooManyAttempts(before, currentRate(rate))
    },
    tryConsume: async (name) => tryConsume(name),
    used: async (name) => used(name),
    refund: async (name) => set(name, used(name) - 1),
    reset: async (name) => set(name, 0),
  }
}
