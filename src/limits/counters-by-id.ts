import { createUsageCounters, isIdle, type UsageCounters } from './usage-counters.ts'

/** Counters of keys, organisations and the server. When there are many, idle ones are dropped. */
export type CountersById = {
  of(id: string): UsageCounters
  /** Must not be called between `of` and the first count, because idle counters are dropped. */
  sweep(nowMs: number): void
  readonly size: number
}

export const createCountersById = (sweepAbove = 1_000): CountersById => {
  const byId = new Map<string, UsageCounters>()
  let nextSweep = sweepAbove
  return {
    of(id) {
      const known = byId.get(id)
      if (known !== undefined) return known
      const created = createUsageCounters()
      byId.set(id, created)
      return created
    },
    sweep(nowMs) {
      if (byId.size <= nextSweep) return
      for (const [id, counters] of byId) if (isIdle(counters, nowMs)) byId.delete(id)
      // Do not sweep again before there are twice as many.
      nextSweep = Math.max(sweepAbove, byId.size * 2)
    },
    get size() {
      return byId.size
    },
  }
}
