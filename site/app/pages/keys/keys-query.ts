import { queryOptions } from '@tanstack/react-query'
import { platformGet } from '../../../platform/platform.ts'
import type { Keys } from '../../../platform/types.ts'

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => platformGet<Keys>('/keys', signal),
})
