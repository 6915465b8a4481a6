import { ApiError } from '../../base/api-error.ts'

/** `POST /v1/moderations` is refused with the reason, so that callers do not look for a mistake in the address. */
export const refuseModeration = (): never => {
  throw ApiError.of('moderation_unavailable', {})
}
