import { queryOptions } from '@tanstack/react-query'
import { platformGet } from '../../../platform/platform.ts'
import type { Keys } from '../../../platform/types.ts'

/** Asked again while somebody looks: limits of a minute pass quickly. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => platformGet<Keys>('/keys', signal),
  refetchInterval: 15_000,
})
