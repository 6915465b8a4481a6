import { ApiError } from '../../base/api-error.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { moderationOperations } from './operations.ts'

/** Refused with the reason, so that callers do not look for a mistake in the address. */
export const createModerationRoutes = (): Route[] => [
  createRoute(moderationOperations.createModeration, () => {
    throw ApiError.of('moderation_unavailable', {})
  }),
]
