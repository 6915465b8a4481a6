import { ApiError } from '../../base/api-error.ts'
import type { AttemptRate } from './attempt-limit.ts'

/** `used` is how many were consumed when there was none left. */
export const tooManyAttempts = (used: number, { max, perMs }: AttemptRate): ApiError =>
  ApiError.of('too_many_attempts', {}, { retryAfterMs: (used - (max - 1)) * (perMs / max) })
