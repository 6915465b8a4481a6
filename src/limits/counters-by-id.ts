import { createUsageCounters, isIdle, type UsageCounters } from './usage-counters.ts'

/** Everybody who is counted, by id. Whoever was quiet for a minute is dropped when there are many. */
export type CountersById = {
  of(id: string): UsageCounters
  /** To be called where nobody holds counters that count nothing yet. */
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
      const made = createUsageCounters()
      byId.set(id, made)
      return made
    },
    sweep(nowMs) {
      if (byId.size <= nextSweep) return
      for (const [id, counters] of byId) if (isIdle(counters, nowMs)) byId.delete(id)
      // Only when there are twice as many is it worth looking at all of them again.
      nextSweep = Math.max(sweepAbove, byId.size * 2)
    },
    get size() {
      return byId.size
    },
  }
}
