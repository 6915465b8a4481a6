import type { ApiError } from './api-error.ts'

/** A failure that the operator can fix. The message is one line that names the problem; no stack is shown. */
export class OperatorError extends Error {
  /** The error that an API caller gets for it; null for an internal error, which reveals nothing. */
  toApiError(): ApiError | null {
    return null
  }
}
