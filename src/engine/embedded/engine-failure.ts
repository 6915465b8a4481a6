import type { Failure } from './protocol.ts'

/** The reply to a request that failed for a reason that is not the caller's. */
export const engineFailure = (error: unknown): Failure => ({
  kind: 'engine_failed',
  detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
})
