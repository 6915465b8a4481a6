/** Outcomes of the last half minute, in buckets of five seconds. */
const bucketMs = 5000
const buckets = 6

export interface FailureRate {
  add(isFailure: boolean, nowMs: number): void
  recent(nowMs: number): { total: number; failures: number }
  clear(): void
}

export const createFailureRate = (): FailureRate => {
  let counted: { bucket: number; total: number; failures: number }[] = []
  const bucketAt = (nowMs: number): number => Math.floor(nowMs / bucketMs)
  return {
    add(isFailure, nowMs) {
      const bucket = bucketAt(nowMs)
      let last = counted.at(-1)
      if (last === undefined || last.bucket !== bucket) {
        last = { bucket, total: 0, failures: 0 }
        counted = [...counted.filter((one) => one.bucket > bucket - buckets), last]
      }
      last.total += 1
      if (isFailure) last.failures += 1
    },
    recent(nowMs) {
      const oldest = bucketAt(nowMs) - buckets
      const sum = { total: 0, failures: 0 }
      for (const { bucket, total, failures } of counted) {
        if (bucket <= oldest) continue
        sum.total += total
        sum.failures += failures
      }
      return sum
    },
    clear() {
      counted = []
    },
  }
}
