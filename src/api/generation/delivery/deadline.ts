import { ApiError } from '../../../base/api-error.ts'
import type { Clock } from '../../../base/clock.ts'
import { followSignal } from '../../../base/following-signal.ts'

/**
 * Runs work with a signal that also aborts once the time limit for one answer has passed. Work that goes on once the answer is
 * complete says so: what follows takes as long as it takes, and its timer would keep a process alive that has stopped.
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
