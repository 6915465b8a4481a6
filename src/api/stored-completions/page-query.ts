import { ApiError } from '../../base/api-error.ts'
import { integerText } from '../../http/read-query.ts'
import { optional } from '../../http/schema/containers.ts'
import { oneOf, shorten, string } from '../../http/schema/scalars.ts'

/** The query parameters of every list. */
export const pageFields = {
  after: optional(string()),
  limit: optional(integerText({ min: 1, max: 100 })),
  order: optional(oneOf('asc', 'desc')),
}

export const defaultLimit = 20

export const unknownCursor = (after: string): ApiError =>
  ApiError.of(
    'refused_value',
    { path: 'after', reason: `no item found with ID '${shorten(after)}'` },
    { param: 'after' },
  )
