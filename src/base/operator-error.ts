import type { ApiError } from './api-error.ts'

/** A failure that the operator can fix. The message is one line that names the problem; no stack is shown. */
export class OperatorError extends Error {
  /** What a caller of the API gets if it was the reason; null for an internal error, which says nothing of it. */
  toApiError(): ApiError | null {
    return null
  }
}
