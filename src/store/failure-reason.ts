import { errorMessage } from '../base/caught-error.ts'

const sqliteBusy = 5

/** Why a database did not do something, for the operator. */
export const failureReason = (error: unknown): string => {
  // PostgreSQL on a host with several addresses fails with several errors.
  if (error instanceof AggregateError) return error.errors.map(failureReason).join(', ')
  return isLocked(error) ? `${errorMessage(error)} by another program` : errorMessage(error)
}

const isLocked = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 255) === sqliteBusy
