/**
 * The amounts of the last 60 seconds, by the monotonic clock. They are kept in buckets of up to 100 ms, so a window has about
 * six hundred of them at most. A bucket leaves 60 seconds after the last amount was added to it, so nothing leaves early,
 * and no 60 seconds admit more than a limit allows.
 */
export type SlidingWindow = {
  buckets: Bucket[]
  /** The index of the first bucket that still counts. */
  first: number
  total: number
}

type Bucket = { firstMs: number; lastMs: number; amount: number }

const windowMs = 60_000
const bucketMs = 100

export const createSlidingWindow = (): SlidingWindow => ({ buckets: [], first: 0, total: 0 })

/** Times never go backwards: an earlier time is replaced by the last one. */
export const addToWindow = (window: SlidingWindow, atMs: number, amount: number): void => {
  if (amount === 0) return
  // So that a window that is never read stays small.
  windowTotal(window, atMs)
  window.total += amount
  const last = window.buckets.at(-1)
  if (last !== undefined && atMs - last.firstMs < bucketMs) {
    last.lastMs = Math.max(last.lastMs, atMs)
    last.amount += amount
  } else window.buckets.push({ firstMs: atMs, lastMs: atMs, amount })
}

/** The amount that counts now. */
export const windowTotal = (window: SlidingWindow, nowMs: number): number => {
  const { buckets } = window
  for (
    let bucket = buckets[window.first];
    bucket !== undefined && leavesAtMs(bucket) <= nowMs;
    bucket = buckets[window.first]
  ) {
    window.total -= bucket.amount
    window.first += 1
  }
  // Compacting only now and then is cheap, and keeps the array below twice its maximum.
  if (window.first === buckets.length || window.first > windowMs / bucketMs) {
    buckets.splice(0, window.first)
    window.first = 0
  }
  return window.total
}

/** The time at which no more than `max` is left in the window, if nothing is added. */
export const windowFallsTo = (window: SlidingWindow, nowMs: number, max: number): number => {
  let total = windowTotal(window, nowMs)
  let atMs = nowMs
  for (let index = window.first; total > max; index += 1) {
    const bucket = window.buckets[index]
    if (bucket === undefined) break
    total -= bucket.amount
    atMs = leavesAtMs(bucket)
  }
  return atMs
}

/** The time at which nothing counts any more, if nothing is added. */
export const windowEmptiesAt = ({ buckets }: SlidingWindow, nowMs: number): number => {
  const last = buckets.at(-1)
  return last === undefined ? nowMs : Math.max(nowMs, leavesAtMs(last))
}

/** The time at which an amount that is added now leaves. */
export const leavesWindowAt = (nowMs: number): number => nowMs + windowMs

const leavesAtMs = (bucket: Bucket): number => bucket.lastMs + windowMs
