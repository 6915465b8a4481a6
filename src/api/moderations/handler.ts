import { ApiError } from '../../base/api-error.ts'

/** `POST /v1/moderations` is refused with the reason, so that nobody searches for a wrong address. */
export const refuseModeration = (): never => {
  throw ApiError.of('moderation_unavailable', {})
}
