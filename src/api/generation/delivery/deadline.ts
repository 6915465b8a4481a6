import { ApiError } from '../../../base/api-error.ts'
import type { Clock } from '../../../base/clock.ts'
import { followSignal } from '../../../base/following-signal.ts'

/**
 * Runs work with a signal that also aborts once the time limit for one answer has passed. Work that continues after the
 * answer is complete must call `complete`: the rest has no time limit, and a running timer would keep a stopped process
 * alive.
 */
export const withDeadline = async <Result>(
  outer: AbortSignal,
  limitMs: number,
  clock: Clock,
  work: (signal: AbortSignal, complete: () => void) => Promise<Result>,
): Promise<Result> => {
  const { signal, abort, release } = followSignal(outer)
  const cancel = clock.after(limitMs, () =>
    // A retry would take as long again.
    abort(ApiError.of('generation_timeout', { limitMs }, { shouldRetry: false })),
  )
  try {
    return await work(signal, cancel)
  } finally {
    cancel()
    release()
  }
}
