import { queryOptions } from '@tanstack/react-query'
import type { LimitsShown } from '../../../../src/platform/contract/limits.ts'
import { platformGet } from '../../../platform/platform.ts'

/** Refetched while the page is visible, because limits per minute change quickly. */
export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => platformGet<LimitsShown>('/limits', signal),
  refetchInterval: 5_000,
})
