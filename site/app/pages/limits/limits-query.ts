import { queryOptions } from '@tanstack/react-query'
import type { LimitsShown } from '../../../platform/limit-types.ts'
import { platformGet } from '../../../platform/platform.ts'

/** Asked again while somebody looks: a minute passes quickly. */
export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => platformGet<LimitsShown>('/limits', signal),
  refetchInterval: 5_000,
})
