import { ApiError } from '../../base/api-error.ts'
import type { AnswerRoute } from '../../engine/contract.ts'
import { UpstreamStatus } from '../../engine/remote/upstream-status.ts'
import type { UpstreamOutcome } from './circuit-breaker.ts'

/** What an error of an upstream says about the upstream, and whether another may do better. */
export type UpstreamFailure = {
  outcome: UpstreamOutcome
  /** False: the request itself is at fault, or the error has nothing to do with the upstream. */
  canRetry: boolean
}

export const classifyFailure = (error: unknown): UpstreamFailure => {
  if (!(error instanceof ApiError)) return { outcome: { type: 'aborted' }, canRetry: false }
  const { cause } = error.options
  const status = cause instanceof UpstreamStatus ? cause : null
  switch (error.errorName) {
    case 'upstream_busy': {
      const pauseMs = status?.retryAfterMs ?? null
      // A proxy sends 503 for one that is gone: only with a time, or as 429 or Anthropic's 529, it asks us to wait.
      const isBusy = pauseMs !== null || status?.status === 429 || status?.status === 529
      return { outcome: isBusy ? { type: 'busy', pauseMs } : { type: 'failed' }, canRetry: true }
    }
    case 'upstream_failed': {
      if (status?.isQuotaExceeded === true) return { outcome: { type: 'quota_exceeded' }, canRetry: true }
      const isKeyRefused = status?.status === 401 || status?.status === 403
      return { outcome: { type: isKeyRefused ? 'key_refused' : 'failed' }, canRetry: true }
    }
    case 'upstream_refused':
    case 'upstream_context_exceeded':
      return { outcome: { type: 'answered' }, canRetry: false }
    default:
      return { outcome: { type: 'aborted' }, canRetry: false }
  }
}

/** What the operator sees as an error of the upstream. A request that is at fault itself, or was aborted, is none. */
export const noteFailure = (route: AnswerRoute, upstream: string, { type }: UpstreamOutcome): void => {
  if (type !== 'answered' && type !== 'aborted') route.failed = [...(route.failed ?? []), upstream]
}
