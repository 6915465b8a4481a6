/**
 * What happened in the last 60 seconds, on a clock that never jumps. Times are kept in buckets of up to a tenth of a
 * second, so that a window holds at most some six hundred of them however much passes; a bucket leaves 60 seconds after
 * the last that went into it. So nothing leaves early, and in any 60 seconds no more is let in than a limit says.
 */
export type SlidingWindow = {
  buckets: Bucket[]
  /** Buckets before this one have left. */
  first: number
  total: number
}

type Bucket = { firstMs: number; lastMs: number; amount: number }

const windowMs = 60_000
const bucketMs = 100

export const createSlidingWindow = (): SlidingWindow => ({ buckets: [], first: 0, total: 0 })

/** Times do not go backwards: one that is older than the last counts as the last. */
export const addToWindow = (window: SlidingWindow, atMs: number, amount: number): void => {
  if (amount === 0) return
  // Also a window that nobody asks stays small.
  windowTotal(window, atMs)
  window.total += amount
  const last = window.buckets.at(-1)
  if (last !== undefined && atMs - last.firstMs < bucketMs) {
    last.lastMs = Math.max(last.lastMs, atMs)
    last.amount += amount
  } else window.buckets.push({ firstMs: atMs, lastMs: atMs, amount })
}

/** How much counts now. */
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
  // Moving the rest to the front only now and then keeps it cheap; the room it takes stays within twice the most.
  if (window.first === buckets.length || window.first > windowMs / bucketMs) {
    buckets.splice(0, window.first)
    window.first = 0
  }
  return window.total
}

/** When no more than `most` counts if nothing is added: a moment, not a duration. */
export const windowFallsTo = (window: SlidingWindow, nowMs: number, most: number): number => {
  let total = windowTotal(window, nowMs)
  let atMs = nowMs
  for (let index = window.first; total > most; index += 1) {
    const bucket = window.buckets[index]
    if (bucket === undefined) break
    total -= bucket.amount
    atMs = leavesAtMs(bucket)
  }
  return atMs
}

/** When nothing counts any more, if nothing is added. */
export const windowEmptiesAt = ({ buckets }: SlidingWindow, nowMs: number): number => {
  const last = buckets.at(-1)
  return last === undefined ? nowMs : Math.max(nowMs, leavesAtMs(last))
}

/** When something that is added now will have left. */
export const leavesWindowAt = (nowMs: number): number => nowMs + windowMs

const leavesAtMs = (bucket: Bucket): number => bucket.lastMs + windowMs
