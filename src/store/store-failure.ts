import { ApiError } from '../base/api-error.ts'
import { OperatorError } from '../base/operator-error.ts'

/** The store could not do what it was asked. The message is one line for the operator, never for a caller of the API. */
export class StoreFailure extends OperatorError {
  override readonly name: string = 'StoreFailure'
}

/** The database cannot be reached, or cannot do what was asked at the moment. The caller may try again. */
export class StoreUnavailable extends StoreFailure {
  override readonly name = 'StoreUnavailable'

  override toApiError(): ApiError {
    return ApiError.of('store_unavailable', {}, { retryAfterMs: 1000, cause: this })
  }
}

export const isStoreAway = (error: unknown): boolean => error instanceof StoreUnavailable
