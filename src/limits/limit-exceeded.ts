import { ApiError, type ErrorParts } from '../base/api-error.ts'
import type { RefusingLimit } from '../store/request-log-contract.ts'

/** A request was refused by a limit, which the request log names. */
export class LimitExceeded extends ApiError {
  readonly limit: RefusingLimit

  constructor(parts: ErrorParts, limit: RefusingLimit) {
    super(parts)
    this.limit = limit
  }
}
