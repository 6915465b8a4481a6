import { ApiError } from '../../../base/api-error.ts'
import type { Clock } from '../../../base/clock.ts'
import { followSignal } from '../../../base/following-signal.ts'

/** The time limit of the work that is given it. */
export interface Deadline {
  /** The answer is complete: the rest has no time limit, and a running timer would keep a stopped process alive. */
  complete(): void
  /** Time that does not count, because the answer was paused for others: as much as it is when it is called. */
  exclude(excludedMs: () => number): void
}

/** Runs work with a signal that also aborts once the time limit for one answer has passed. */
export const withDeadline = async <Result>(
  outer: AbortSignal,
  limitMs: number,
  clock: Clock,
  work: (signal: AbortSignal, deadline: Deadline) => Promise<Result>,
): Promise<Result> => {
  const { signal, abort, release } = followSignal(outer)
  const startedMs = clock.monotonicMs()
  let excludedMs = (): number => 0
  const check = (): void => {
    const leftMs = startedMs + limitMs + excludedMs() - clock.monotonicMs()
    // A retry would take as long again.
    if (leftMs <= 0) abort(ApiError.of('generation_timeout', { limitMs }, { shouldRetry: false }))
    else cancel = clock.after(Math.ceil(leftMs), check)
  }
  let cancel = clock.after(limitMs, check)
  const deadline: Deadline = {
    complete: () => cancel(),
    exclude(ms) {
      excludedMs = ms
    },
  }
  try {
    return await work(signal, deadline)
  } finally {
    cancel()
    release()
  }
}
