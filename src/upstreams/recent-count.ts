import type { Clock } from '../base/clock.ts'

const bucketMs = 30_000
const buckets = 10

/** Counts events of the last five minutes, to within half a minute. */
export interface RecentCount {
  add(): void
  readonly count: number
}

export const createRecentCount = (clock: Clock): RecentCount => {
  let counted: { bucket: number; count: number }[] = []
  const recent = () => {
    const oldest = Math.floor(clock.monotonicMs() / bucketMs) - buckets
    counted = counted.filter(({ bucket }) => bucket > oldest)
    return counted
  }
  return {
    add() {
      const bucket = Math.floor(clock.monotonicMs() / bucketMs)
      const last = recent().at(-1)
      if (last?.bucket === bucket) last.count += 1
      else counted.push({ bucket, count: 1 })
    },
    get count() {
      return recent().reduce((sum, { count }) => sum + count, 0)
    },
  }
}
