import { ApiError, type ErrorParts, type PlainError } from '../../base/api-error.ts'
import { errorMessage } from '../../base/caught-error.ts'
import { errorText } from '../../base/log.ts'
import type { FailureForm } from '../../base/turn-port.ts'
import { LimitExceeded } from '../../limits/limit-exceeded.ts'
import type { RefusingLimit } from '../../store/request-log-contract.ts'
import { isStoreAway, StoreUnavailable } from '../../store/store-failure.ts'

type PlainFailure =
  | { type: 'api'; error: PlainError; cause: string | null; limit: RefusingLimit | null }
  /** The database cannot be reached. */
  | { type: 'away'; text: string }
  | { type: 'other'; text: string }

/** An error of the authority, with the text of its cause. */
class AuthorityError extends ApiError {
  /** That of its parent is not public. */
  constructor(parts: ErrorParts) {
    super(parts)
  }
}

const toPlain = (error: unknown): PlainFailure => {
  if (isStoreAway(error)) return { type: 'away', text: errorMessage(error) }
  if (!(error instanceof ApiError)) return { type: 'other', text: errorText(error) }
  const { cause } = error.options
  return {
    type: 'api',
    error: error.toPlain(),
    cause: cause === undefined ? null : errorText(cause),
    limit: error instanceof LimitExceeded ? error.limit : null,
  }
}

const fromPlain = (failure: PlainFailure): Error => {
  if (failure.type === 'away') return new StoreUnavailable(failure.text)
  if (failure.type === 'other') return new Error(failure.text)
  const { error, cause, limit } = failure
  const parts = { ...error, options: cause === null ? error.options : { ...error.options, cause } }
  return limit === null ? new AuthorityError(parts) : new LimitExceeded(parts, limit)
}

/** Sound because only `toPlain` makes them. */
const asPlainFailure = (plain: unknown): PlainFailure => plain as PlainFailure

/** Errors between workers and their authority: those of the API stay what they are. */
export const failureForm: FailureForm = { toPlain, fromPlain: (plain) => fromPlain(asPlainFailure(plain)) }
